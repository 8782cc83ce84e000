"""usage: python3 -m unittest"""

import math
import unittest

from ncs import Refused, bessj, expint, fisher, gammq, remainder, triangle

ANSWERS = [
    (triangle, (3, 4, 5), 1),
    (triangle, (2, 2, 3), 2),
    (triangle, (2, 3, 2), 2),
    (triangle, (3, 2, 2), 2),
    (triangle, (2, 2, 2), 3),
    (triangle, (1, 2, 3), 0),
    (triangle, (1, 3, 2), 0),
    (triangle, (3, 1, 2), 0),
    (triangle, (2147483647, 2147483647, 1), 2),
    (triangle, (0, 1, 1), 0),
    (bessj, (3, 2), 0.128943249),
    (bessj, (3, 3.1), 0.32644276),
    (bessj, (3, 8.1), -0.2902644),
    (bessj, (4, 50), 0.0708410),
    (bessj, (3, -2), -0.128943249),
    (bessj, (4, -2), 0.03399572),
    (bessj, (3, 0), 0),
    (bessj, (1000, 1e-5), 0),
    (expint, (1, 1), 0.2193839),
    (expint, (2, 2), 0.0375343),
    (expint, (5, 0.5), 0.1309773),
    (expint, (2, 0), 1),
    (expint, (0, 1), 0.3678794),
    (expint, (10, 1), 0.0363940),
    (fisher, (4, 5, 0.5), 0.26079803),
    (fisher, (5, 4, 4), 0.89807904),
    (fisher, (6, 8, 4), 0.96240234),
    (fisher, (3, 3, 0.5), 0.29179141),
    (fisher, (1, 2, 0.5), 0.44721360),
    (fisher, (2, 1, 0.5), 0.29289322),
    (fisher, (2, 2, 1), 0.5),
    (fisher, (30, 1, 0.001), 0),
    (fisher, (30, 2, -1), 1),
    (gammq, (0.5, 0.5), 0.317311),
    (gammq, (1, 2), 0.135335),
    (gammq, (10, 10), 0.457930),
    (gammq, (100, 110), 0.158279),
    (gammq, (7.5, 0), 1),
    (remainder, (7, 3), 1),
    (remainder, (7, -3), 1),
    (remainder, (-7, 3), -1),
    (remainder, (-8, 3), -2),
    (remainder, (-7, -3), 1),
    (remainder, (6, -3), 0),
    (remainder, (3, 5), -1),
    (remainder, (0, 5), -1),
    (remainder, (5, 0), -1),
]

REFUSED = [
    (bessj, (2, 1)),
    (bessj, (1001, 1)),
    (expint, (-1, 1)),
    (expint, (1, -1)),
    (expint, (0, 0)),
    (expint, (1, 0)),
    (expint, (3, math.inf)),
    (expint, (3, math.nan)),
    (fisher, (1001, 1, 1)),
    (fisher, (1, 1001, 1)),
    (gammq, (1, -1)),
    (gammq, (0, 1)),
    (gammq, (1000, 1000)),
    (gammq, (10_000, 10_001)),
    (gammq, (math.inf, 1)),
    (gammq, (1, math.inf)),
    (remainder, (10_001, 1)),
    (remainder, (1, -10_001)),
]


class Functions(unittest.TestCase):
    def test_known_answers(self):
        for function, arguments, expected in ANSWERS:
            with self.subTest(f"{function.__name__}{arguments}"):
                self.assertAlmostEqual(function(*arguments), expected, delta=1e-6)

    def test_refusals(self):
        for function, arguments in REFUSED:
            with self.subTest(f"{function.__name__}{arguments}"), self.assertRaises(Refused):
                function(*arguments)

    def test_what_does_not_converge_is_next_to_what_does(self):
        self.assertAlmostEqual(gammq(1000, 900), 0.9994501, delta=1e-6)
        self.assertAlmostEqual(gammq(10_000, 11_000), 0, delta=1e-6)

    def test_what_has_no_value(self):
        self.assertTrue(math.isnan(bessj(3, math.nan)))
        self.assertTrue(math.isnan(bessj(3, 1e-50)))
        with self.assertRaises(ZeroDivisionError):
            fisher(2, 2, 0)

    def test_remainders_agree_with_the_rule(self):
        for a in range(-40, 41):
            for b in range(-40, 41):
                done = a != 0 and b != 0 and abs(a) >= abs(b)
                sign = -1 if a < 0 < b else 1
                expected = sign * (abs(a) % abs(b)) if done else -1
                self.assertEqual(remainder(a, b), expected, (a, b))


if __name__ == "__main__":
    unittest.main()
