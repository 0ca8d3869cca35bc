#: integers: floor division, remainder, powers, bases | CPython
def f():
    return [-7 // 2, -7 % 3, 7 // -2, 7 % -3, divmod(-7, 2), pow(3, -1, 7), pow(2, 100, 97), int("-0x1f", 16), int("z", 36), int("1_000"), 0b101 ^ 0o17 & ~0xF0, (-5) >> 1, 1 << 70, (255).bit_length(), (1234).to_bytes(2, "big").hex(), int.from_bytes(b"\xff\xfe", "little", signed=True)]
#= [-4, 2, -4, -2, [-4, 1], 5, 16, -31, 35, 1000, 10, -3, 1180591620717411303424, 8, "04d2", -257]

#: integers beyond the machine's words | CPython
def f():
    import math
    n = math.factorial(30)
    return [str(n), str(2**200 % 10**20), math.isqrt(10**40), math.comb(60, 30), math.gcd(2**60, 6**20), math.lcm(12, 18, 5), n.bit_count(), str(-(10**30) // 7)]
#= ["265252859812191058636308480000000", "2993782792835301376", 100000000000000000000, 118264581564861424, 1048576, 180, 48, "-142857142857142857142857142858"]

#: texts of very large integers are refused | CPython
def f():
    try:
        str(10**5000)
    except ValueError as error:
        return str(error)
#= "Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit"

#: floats: representation and rounding | CPython
def f():
    return [0.1 + 0.2, repr(1e16), repr(1e-5), 1e22, round(2.5), round(3.5), round(-0.5), round(2.675, 2), round(1234, -2), float("1e-400"), str(float("-inf")), (0.5).hex(), float.fromhex("0x1.8p1"), (3.75).as_integer_ratio(), 7.0.is_integer(), -0.0 == 0.0, str(-0.0)]
#= [0.30000000000000004, "1e+16", "1e-05", 1e+22, 2, 4, 0, 2.67, 1200, 0.0, "-inf", "0x1.0000000000000p-1", 3.0, [15, 4], true, true, "-0.0"]

#: not a number, and infinity | CPython
def f():
    nan, inf = float("nan"), float("inf")
    return [nan == nan, nan in [nan], inf > 10**400, str(inf - inf), min(1, nan), str(max(nan, 1)), sorted([3, 1, 2]), [nan] == [nan], str(inf * 0)]
#= [false, true, true, "nan", 1, "nan", [1, 2, 3], true, "nan"]

#: mathematics | CPython
def f():
    import math
    return [math.floor(-1.5), math.ceil(-1.5), math.trunc(-1.5), math.fsum([0.1] * 10), sum([0.25] * 4), math.hypot(3, 4, 12), math.dist([0, 0], [1, 1]) == math.sqrt(2), math.prod([2, 3, 4]), math.copysign(1, -0.0), math.fmod(-7, 3), math.modf(2.5), math.frexp(8.0), math.isclose(1, 1 + 1e-10), math.perm(5, 2), math.log2(8)]
#= [-2, -1, -1, 1.0, 1.0, 13.0, true, 24, -1.0, -1.0, [0.5, 2.0], [0.5, 4], true, 20, 3.0]

#: complex numbers | CPython
def f():
    import cmath
    z = 3 + 4j
    return [str(z), abs(z), str(z.conjugate()), str(z * 1j), str((1 + 2j) ** 2), str(complex("1-2j")), cmath.phase(-1 + 0j) > 3, str(-1j)]
#= ["(3+4j)", 5.0, "(3-4j)", "(-4+3j)", "(-3+4j)", "(1-2j)", true, "(-0-1j)"]

#: decimals: contexts, quantising, rounding modes | CPython
def f():
    from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_CEILING, Decimal, getcontext, localcontext
    d = Decimal("2.675")
    cent = Decimal("0.01")
    with localcontext() as c:
        c.prec = 5
        third = str(Decimal(1) / 3)
    return [str(d.quantize(cent, mode)) for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_DOWN, ROUND_CEILING)] + [third, str(Decimal(1) / 3), str(Decimal("1.10") + Decimal("2.2")), str(Decimal(0.1))[:20], getcontext().prec]
#= ["2.68", "2.68", "2.67", "2.68", "0.33333", "0.3333333333333333333333333333", "3.30", "0.100000000000000005", 28]

#: decimals: special values, signals and formats | CPython
def f():
    from decimal import Decimal, DivisionByZero, InvalidOperation
    bad = []
    for action in (lambda: Decimal(1) / 0, lambda: Decimal("x"), lambda: Decimal("NaN") < 1):
        try:
            action()
        except (DivisionByZero, InvalidOperation) as error:
            bad.append(type(error).__name__)
    return [bad, f"{Decimal('1234567.891'):,.2f}", f"{Decimal('0.00001234'):e}", str(Decimal("1E+3").normalize()), str(Decimal("-0")), Decimal("1.0") == 1, hash(Decimal("1.0")) == hash(1), str(Decimal("1.20").as_tuple()), str(Decimal("100").sqrt()), str(Decimal("7") % Decimal("-3")), str(Decimal("-7") // 2)]
#= [["DivisionByZero", "InvalidOperation", "InvalidOperation"], "1,234,567.89", "1.234e-5", "1E+3", "-0", true, true, "DecimalTuple(sign=0, digits=(1, 2, 0), exponent=-2)", "10", "1", "-3"]

#: fractions | CPython
def f():
    from fractions import Fraction as F
    return [str(F(6, 4)), str(F("0.125")), str(F(1, 3) + F(1, 6)), str(F(3.5)), str(F(22, 7).limit_denominator(3)), float(F(1, 8)), round(F(7, 2)), str(F(-7, 3) % 1), F(1, 2) == 0.5, str(F(2, 3) ** -2)]
#= ["3/2", "1/8", "1/2", "7/2", "3", 0.125, 4, "2/3", true, "9/4"]

#: statistics | CPython
def f():
    import statistics as s
    data = [2, 4, 4, 4, 5, 5, 7, 9]
    return [s.mean(data), s.median([1, 3, 2, 4]), s.median_low([1, 3, 2, 4]), s.mode("aabbb"), s.multimode([1, 1, 2, 2, 3]), s.pstdev(data), round(s.stdev(data), 6), s.variance([1, 2, 3, 4]), s.quantiles(data, n=4), s.geometric_mean([1, 4, 16]), s.harmonic_mean([40, 60]), round(s.correlation([1, 2, 3], [1, 2, 4]), 6), list(s.linear_regression([1, 2, 3], [2, 4, 6]))]
#= [5, 2.5, 2, "b", [1, 2], 2.0, 2.13809, 1.6666666666666667, [4.0, 4.5, 6.5], 4.0, 48.0, 0.981981, [2.0, 0.0]]

#: statistics of nothing, and of a normal distribution | CPython
def f():
    import statistics as s
    bad = []
    for action in (lambda: s.mean([]), lambda: s.stdev([1]), lambda: s.mode([])):
        try:
            action()
        except s.StatisticsError as error:
            bad.append(str(error))
    n = s.NormalDist(100, 15)
    return [bad, round(n.cdf(130), 6), round(n.inv_cdf(0.5), 6), str(n + 10), round(n.overlap(s.NormalDist(110, 15)), 6)]
#= [["mean requires at least one data point", "stdev requires at least two data points", "no mode for empty data"], 0.97725, 100.0, "NormalDist(mu=110.0, sigma=15.0)", 0.738883]

#: formats of numbers | CPython
def f():
    n, x = 1234567, 3.14159265
    return [f"{n:,}", f"{n:_}", f"{n:>12}", f"{n:<12}|", f"{n:^+12}", f"{n:012d}", f"{n:x}", f"{n:#b}", f"{x:.2f}", f"{x:10.3e}", f"{x:g}", f"{1e10:g}", f"{0.25:.0%}", f"{-5:(^8}", f"{x:+.1f}", f"{255:#06x}", f"{1e6:n}", f"{65:c}", f"{12345.678:,.1f}"]
#= ["1,234,567", "1_234_567", "     1234567", "1234567     |", "  +1234567  ", "000001234567", "12d687", "0b100101101011010000111", "3.14", " 3.142e+00", "3.14159", "1e+10", "25%", "(((-5(((", "+3.1", "0x00ff", "1e+06", "A", "12,345.7"]

#: formats with nested fields, conversions and debugging | CPython
def f():
    width, digits, name = 10, 3, "ö"
    class C:
        def __format__(self, spec): return f"<{spec}>"
    return [f"{3.14159:{width}.{digits}}", f"{name!r:>5}", f"{name!a}", f"{width=}", f"{width + 1 = }", f"{C():abc}", f"{{}}", "%5.1f|%-5s|%05d|%x|%%" % (2.25, "a", 42, 255), "{0[a]} {1.real} {2!s:>4}".format({"a": 1}, 5, "x"), "{:>{w}}".format("r", w=4)]
#= ["      3.14", "  '\u00f6'", "'\\xf6'", "width=10", "width + 1 = 11", "<abc>", "{}", "  2.2|a    |00042|ff|%", "1 5    x", "   r"]

#: random numbers of a known seed | CPython
def f():
    import random
    r = random.Random(42)
    return [[r.randint(1, 100) for _ in range(5)], r.random(), r.sample(range(100), 3), r.choices("abc", weights=[1, 2, 3], k=5), r.choice("xyz"), round(r.gauss(0, 1), 9), r.shuffle(x := list(range(5))), x, r.getrandbits(64).__str__(), random.Random("text").random(), random.Random(25).randrange(0, 100, 7)]
#= [[82, 15, 4, 95, 36], 0.24489185380347622, [17, 94, 13], ["c", "c", "a", "b", "a"], "x", 0.147595983, null, [0, 3, 2, 1, 4], "8286444275301796832", 0.8711565613554825, 42]

#: hashes and checksums | CPython
def f():
    import binascii, hashlib, hmac, zlib
    b = "grüße".encode()
    return [hashlib.md5(b).hexdigest(), hashlib.sha1(b).hexdigest(), hashlib.sha256(b).hexdigest(), hashlib.sha3_256(b).hexdigest(), hashlib.blake2b(b, digest_size=8).hexdigest(), hmac.new(b"key", b, "sha256").hexdigest(), zlib.crc32(b), zlib.adler32(b), binascii.crc_hqx(b, 0), hashlib.new("sha512", b).hexdigest()[:16], hmac.compare_digest(b"a", b"a")]
#= ["fee40dc24d0ad6a90c608052aa4e9e66", "cd56cb0ac45690731afed77ff66655dfdf8576da", "8285d1ad84c6b6e475d3b50dbf90389c8c7a07a278d9ae46d5698cbe872e3834", "9cf2ff50c36c04979f534ea586931bee4d80a5ce403a8f2c4d9ca528e9e1ffb3", "e7fe3e7d35665a99", "8c2190b942c4e6b4632af745244226207db18b96f3e9665fab1f8a6c9ff31efa", 879643117, 271516704, 19578, "9679a9fbb3fdb1f6", true]

#: bytes and their friends | CPython
def f():
    import struct
    b = bytearray(b"hello")
    b[1:3] = b"EEE"
    m = memoryview(bytes(range(10)))[2:8:2]
    return [bytes(b).decode(), list(m), b"a\x00\xff".hex("-"), bytes.fromhex("00 ff").hex(), struct.pack(">HbI", 1, -2, 3).hex(), struct.unpack("<d", bytes(8)), struct.calcsize("<bhi"), (b"%d-%s" % (5, b"x")).decode(), b"abc".translate(bytes.maketrans(b"a", b"z")).decode(), int.from_bytes(b"\1\0", "big"), b"a,b".split(b",")[1].decode()]
#= ["hEEElo", [2, 4, 6], "61-00-ff", "00ff", "0001fe00000003", [0.0], 7, "5-x", "zbc", 256, "b"]

#: bits, heaps and bisection | CPython
def f():
    import bisect, heapq
    heap = [5, 1, 8, 3]
    heapq.heapify(heap)
    heapq.heappush(heap, 2)
    ordered = [1, 3, 3, 5]
    bisect.insort(ordered, 4)
    return [heapq.heappop(heap), heapq.nsmallest(2, heap), heapq.nlargest(2, "hello"), list(heapq.merge([1, 4], [2, 3])), ordered, bisect.bisect_left(ordered, 3), bisect.bisect(ordered, 3), bisect.bisect([("a", 1), ("b", 5)], 4, key=lambda p: p[1]), heapq.heappushpop([3, 4], 1)]
#= [1, [2, 3], ["o", "l"], [1, 2, 3, 4], [1, 3, 3, 4, 5], 1, 3, 1, 1]
