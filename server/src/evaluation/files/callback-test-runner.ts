/**
 * Python that runs the test functions of a pytest file beside its callback, as the toolkit does: the callback is the module `python_code`,
 * and the platform's classes are globals of it and of `cxas_scrapi.utils.callback_libs`. What pytest itself adds (fixtures,
 * parameters, `pytest.raises`) is not there.
 */
export const CALLBACK_TEST_RUNNER = `
def run_callback_tests(callback: str, tests: str, path: str) -> dict:
  import inspect
  import sys
  import traceback
  import types

  platform = {name: value for name, value in globals().items() if not name.startswith("__")}

  def module(name, source, filename):
    made = types.ModuleType(name)
    made.__dict__.update(platform)
    sys.modules[name] = made
    exec(compile(source, filename, "exec"), made.__dict__)
    return made

  def place(error):
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename in (path, "python_code.py")]
    where = f"{own[-1].filename}:{own[-1].lineno}: " if own else f"{path}:1: "
    lines = tests.split("\\n") if own and own[-1].filename == path else callback.split("\\n")
    said = str(error) or (lines[own[-1].lineno - 1].strip() if own else "")
    return f"{where}{type(error).__name__}: {said}"

  def functions(made):
    for name, value in made.__dict__.items():
      if name in platform and value is platform[name]:
        continue
      if name.startswith("test") and inspect.isfunction(value):
        yield name, value
      if name.startswith("Test") and inspect.isclass(value):
        for method in [method for method in dir(value) if method.startswith("test")]:
          yield f"{name}.{method}", (lambda value=value, method=method: getattr(value(), method)())

  for name in ("cxas_scrapi", "cxas_scrapi.utils", "cxas_scrapi.utils.callback_libs"):
    module(name, "", name)
  try:
    module("python_code", callback, "python_code.py")
    made = module("callback_test", tests, path)
  except ModuleNotFoundError as error:
    return {"error": f"{path}:1: {error}: the sandbox does not have it. Write the test without it.", "results": []}
  except BaseException as error:
    return {"error": place(error), "results": []}
  results = []
  for name, test in list(functions(made)):
    try:
      test()
      results.append({"name": name, "error": ""})
    except BaseException as error:
      results.append({"name": name, "error": place(error)})
  return {"error": "", "results": results}
`;
