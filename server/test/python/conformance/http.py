#: get with params | PY-27
def f():
    call = ces_requests.get("https://api.example.com/data", params={"q": "a b", "n": [1, 2], "none": None}).json()
    return [call["method"], call["url"]]
#= ["GET", "https://api.example.com/data?q=a+b&n=1&n=2"]

#: params join a query and stay before the fragment | PY-27
def f():
    return ces_requests.get("https://a.example/x?y=1#top", params=[("z", 2)]).json()["url"]
#= "https://a.example/x?y=1&z=2#top"

#: post with data as a form | PY-27
def f():
    call = ces_requests.post("https://a.example", data={"a": 1, "b": ["x", "y"]}).json()
    return [call["method"], call["body"], call["headers"]]
#= ["POST", "a=1&b=x&b=y", {"Content-Type": "application/x-www-form-urlencoded"}]

#: post with json | PY-27
def f():
    call = ces_requests.post("https://a.example", json={"a": [1]}).json()
    return [call["body"], call["headers"]]
#= ["{\"a\": [1]}", {"Content-Type": "application/json"}]

#: a content type of one's own wins | PY-27
def f():
    return ces_requests.post("https://a.example", json={}, headers={"content-type": "application/x.y+json", "X-N": 5}).json()["headers"]
#= {"content-type": "application/x.y+json", "X-N": "5"}

#: text and bytes as data | PY-27
def f():
    text, data = ces_requests.put("https://a.example", data="raw").json(), ces_requests.put("https://a.example", data=b"\xff").json()
    return [text["body"], text["headers"], data["body"], data["bodyEncoding"]]
#= ["raw", {}, "/w==", "base64"]

#: a file as data | PY-27
def f():
    import io
    return ces_requests.put("https://a.example", data=io.BytesIO(b"abc")).json()["body"]
#= "YWJj"

#: every method | PY-27
def f():
    r = ces_requests
    return [getattr(r, name)("https://a.example").json()["method"] for name in ("get", "post", "put", "delete", "patch", "head", "options")]
#= ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]

#: request takes a method by enum or by name | PY-17
def f():
    return [ces_requests.request(method, "https://a.example").json()["method"] for method in (HttpMethod.DELETE, "patch")]
#= ["DELETE", "PATCH"]

#: basic authentication, cookies, time-out, redirects | PY-27
def f():
    call = ces_requests.get("https://a.example", auth=("u", "p"), cookies={"a": 1, "b": 2}, timeout=(1, 2.5), allow_redirects=False).json()
    return [call["headers"], call["timeout"], call["allowRedirects"]]
#= [{"Authorization": "Basic dTpw", "Cookie": "a=1; b=2"}, 2.5, false]

#: an option without meaning here is logged | PY-27
def f():
    return ces_requests.get("https://a.example", verify=False).ok
#= true
#> WARNING ces_requests does not know the option 'verify' and went on without it

#: raise_for_status and the reason | PY-17
def f():
    response = ces_requests.get('https://api.example.com/missing')
    try:
        response.raise_for_status()
    except StatusError:
        return [response.status_code, response.reason, response.ok]
#= [404, "Not Found", false]

#: headers of an answer in any spelling | PY-17
def f():
    headers = ces_requests.get("https://a.example").headers
    return [headers["Content-Type"], headers.get("CONTENT-TYPE"), "Content-type" in headers, headers.get("x")]
#= ["application/json", "application/json", true, null]

#: urllib.request goes the same way | PY-27
def f():
    import json, urllib.request
    with urllib.request.urlopen("https://a.example/data") as response:
        call = json.loads(response.read())
    return [response.status, call["method"], call["url"]]
#= [200, "GET", "https://a.example/data"]

#: urllib.request raises HTTPError | PY-27
def f():
    import urllib.error, urllib.request
    try:
        urllib.request.urlopen(urllib.request.Request("https://a.example/missing", data=b"x", method="PUT"))
    except urllib.error.HTTPError as error:
        return [error.code, error.reason]
#= [404, "Not Found"]
