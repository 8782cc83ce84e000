package services.ncs.functions;

/**
 * Six numerical functions with branches that only few inputs reach.
 *
 * <p>Each keeps the decisions that its method is known for, with loops where a library would do,
 * since the branches are what the service is there for. What a function does not take is {@link
 * Refused}; what has no value is a NaN.
 */
public final class Ncs {
    private static final double EULER = 0.5772156649;
    private static final double TINY = 1e-30;
    private static final int MOST_STEPS = 100;

    private Ncs() {}

    /** 0 no triangle, 1 scalene, 2 isosceles, 3 equilateral. */
    public static int triangle(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) {
            return 0;
        }
        if (a == b && b == c) {
            return 3;
        }
        if (a >= b && a >= c && a - b >= c) {
            return 0;
        }
        if (b >= a && b >= c && b - a >= c) {
            return 0;
        }
        if (c >= a && c >= b && c - a >= b) {
            return 0;
        }
        if (a == b || b == c || a == c) {
            return 2;
        }
        return 1;
    }

    // Bessel functions

    private static final double BIG = 1e10;
    private static final double SMALL = 1e-10;
    private static final int SERIES_TERMS = 40;
    private static final int HANKEL_TERMS = 16;

    /** The Bessel function of the first kind of order n. */
    public static double bessj(int n, double x) {
        if (n <= 2 || n > 1000) {
            throw new Refused("the order is out of range");
        }
        double size = Math.abs(x);
        if (size == 0) {
            return 0;
        }
        double result = size > n ? besselUpward(n, size) : besselDownward(n, size);
        if (x < 0 && n % 2 == 1) {
            return -result;
        }
        return result;
    }

    private static double besselUpward(int n, double x) {
        double below = besselJ0(x);
        double current = besselJ1(x);
        for (int order = 1; order < n; order++) {
            double above = 2 * order / x * current - below;
            below = current;
            current = above;
        }
        return current;
    }

    /** Miller's way: begin high up with anything, and put it right by the sum of the even orders. */
    private static double besselDownward(int n, double x) {
        int start = (n + (int) Math.rint(Math.sqrt(40.0 * n))) / 2 * 2;
        double above = 0;
        double current = 1;
        double total = 0;
        double wanted = 0;
        for (int order = start - 1; order >= 0; order--) {
            double below = 2 * (order + 1) / x * current - above;
            above = current;
            current = below;
            if (Math.abs(current) > BIG) {
                above *= SMALL;
                current *= SMALL;
                total *= SMALL;
                wanted *= SMALL;
            }
            if (order % 2 == 0) {
                total += current;
            }
            if (order == n) {
                wanted = current;
            }
        }
        return wanted / (2 * total - current);
    }

    private static double besselJ0(double x) {
        if (x < 8) {
            return besselSeries(0, x);
        }
        return besselHankel(0, x);
    }

    private static double besselJ1(double x) {
        if (x < 8) {
            return besselSeries(1, x);
        }
        return besselHankel(1, x);
    }

    private static double besselSeries(int order, double x) {
        double term = Math.pow(x / 2, order);
        double total = term;
        for (int k = 1; k < SERIES_TERMS; k++) {
            term *= -(x * x) / (4.0 * k * (k + order));
            total += term;
        }
        return total;
    }

    /** The expansion for large arguments; its terms go in turn to the cosine and the sine. */
    private static double besselHankel(int order, double x) {
        double[] parts = new double[2];
        double term = 1;
        for (int k = 0; k < HANKEL_TERMS; k++) {
            int sign = k / 2 % 2 == 1 ? -1 : 1;
            parts[k % 2] += sign * term;
            int odd = 2 * k + 1;
            term *= (4 * order * order - odd * odd) / (8 * (k + 1) * x);
        }
        double angle = x - (2 * order + 1) * Math.PI / 4;
        return Math.sqrt(2 / (Math.PI * x)) * (parts[0] * Math.cos(angle) - parts[1] * Math.sin(angle));
    }

    // The exponential integral

    /** The exponential integral of order n. */
    public static double expint(int n, double x) {
        if (n < 0 || x < 0 || (x == 0 && (n == 0 || n == 1))) {
            throw new Refused("the integral does not exist");
        }
        if (n == 0) {
            return Math.exp(-x) / x;
        }
        if (x == 0) {
            return 1.0 / (n - 1);
        }
        if (x > 1) {
            return expintFraction(n, x);
        }
        return expintSeries(n, x);
    }

    private static double expintFraction(int n, double x) {
        double b = x + n;
        double c = 1 / TINY;
        double d = 1 / b;
        double result = d;
        for (int step = 1; step <= MOST_STEPS; step++) {
            double a = -step * (n - 1.0 + step);
            b += 2;
            d = 1 / (a * d + b);
            c = b + a / c;
            double factor = c * d;
            result *= factor;
            if (Math.abs(factor - 1) < 1e-7) {
                return result * Math.exp(-x);
            }
        }
        throw new Refused("the fraction does not converge");
    }

    private static double expintSeries(int n, double x) {
        double result = n == 1 ? -Math.log(x) - EULER : 1.0 / (n - 1);
        double power = 1;
        for (int k = 1; k <= MOST_STEPS; k++) {
            power *= -x / k;
            double term;
            if (k == n - 1) {
                term = power * (digamma(n) - Math.log(x));
            } else {
                term = -power / (k - n + 1.0);
            }
            result += term;
            if (Math.abs(term) < Math.abs(result) * 1e-7) {
                return result;
            }
        }
        throw new Refused("the series does not converge");
    }

    private static double digamma(int n) {
        double result = -EULER;
        for (int k = 1; k < n; k++) {
            result += 1.0 / k;
        }
        return result;
    }

    // The F distribution

    private static final double ONE_OVER_PI = 0.3183098862;

    /** A probability, and its derivative. */
    private record Start(double p, double d) {}

    /** The cumulative distribution function of F with m and n degrees of freedom. */
    public static double fisher(int m, int n, double x) {
        if (m > 1000 || n > 1000) {
            throw new Refused("too many degrees of freedom");
        }
        int firstM = leastDegrees(m);
        int firstN = leastDegrees(n);
        double w = m * x / n;
        double z = 1 / (1 + w);
        Start start = fisherStart(firstM, firstN, w, z);
        double p = start.p();
        double d = start.d();
        if (firstM == 1) {
            for (int degrees = firstN + 2; degrees <= n; degrees += 2) {
                d *= z * (1 + 1.0 / (degrees - 2));
                p += 2 * w * (1 + w) * d / (degrees - 1);
            }
        } else {
            double power = Math.pow(z, (int) ((n - 1.0) / 2));
            p += 2.0 / firstN * d * w * (power - 1) / (z - 1);
            d *= n * power / firstN;
        }
        for (int degrees = firstM + 2; degrees <= m; degrees += 2) {
            d *= w * z * (degrees - 2.0 + n) / (degrees - 2);
            p -= 2 * (1 + w) * d / (degrees - 2.0 + n);
        }
        if (p < 0) {
            return 0;
        }
        if (p > 1) {
            return 1;
        }
        return p;
    }

    /** 1 for odd numbers and 2 for even ones, but 3 for negative odd ones. */
    private static int leastDegrees(int k) {
        return 2 - k % 2;
    }

    /** The probability for the least degrees of freedom, and its derivative by w. */
    private static Start fisherStart(int firstM, int firstN, double w, double z) {
        if (firstM == 1) {
            if (firstN == 1) {
                double root = Math.sqrt(w);
                return new Start(2 * ONE_OVER_PI * Math.atan(root), ONE_OVER_PI * z / root);
            }
            double p = Math.sqrt(w * z);
            return new Start(p, p * z / (2 * w));
        }
        if (firstN == 1) {
            double root = Math.sqrt(z);
            return new Start(1 - root, z * root / 2);
        }
        return new Start(w * z, z * z);
    }

    // The incomplete gamma function

    private static final double[] STIRLING = {
        1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360
    };

    /** The upper regularised incomplete gamma function. */
    public static double gammq(double a, double x) {
        if (x < 0 || a <= 0) {
            throw new Refused("the function does not exist there");
        }
        if (x < a + 1) {
            return 1 - gammaSeries(a, x);
        }
        return gammaFraction(a, x);
    }

    private static double gammaSeries(double a, double x) {
        if (x == 0) {
            return 0;
        }
        double divisor = a;
        double term = 1 / a;
        double total = term;
        for (int step = 0; step < MOST_STEPS; step++) {
            divisor += 1;
            term *= x / divisor;
            total += term;
            if (Math.abs(term) < Math.abs(total) * 3e-7) {
                return total * gammaScale(a, x);
            }
        }
        throw new Refused("the series does not converge");
    }

    private static double gammaFraction(double a, double x) {
        double b = x + 1 - a;
        double c = 1 / TINY;
        double d = 1 / b;
        double result = d;
        for (int step = 1; step <= MOST_STEPS; step++) {
            double numerator = -step * (step - a);
            b += 2;
            d = numerator * d + b;
            if (Math.abs(d) < TINY) {
                d = TINY;
            }
            c = b + numerator / c;
            if (Math.abs(c) < TINY) {
                c = TINY;
            }
            d = 1 / d;
            double factor = c * d;
            result *= factor;
            if (Math.abs(factor - 1) < 3e-7) {
                return result * gammaScale(a, x);
            }
        }
        throw new Refused("the fraction does not converge");
    }

    private static double gammaScale(double a, double x) {
        return Math.exp(-x + a * Math.log(x) - logGamma(a));
    }

    /** Stirling's series, for which small arguments are too small: they are moved up. */
    private static double logGamma(double argument) {
        double a = argument;
        double product = 1;
        while (a < 10) {
            product *= a;
            a += 1;
        }
        double result = (a - 0.5) * Math.log(a) - a + Math.log(2 * Math.PI) / 2;
        double power = a;
        for (double coefficient : STIRLING) {
            result += coefficient / power;
            power *= a * a;
        }
        return result - Math.log(product);
    }

    // The remainder

    /** The remainder by taking away again and again; -1 where there was nothing to take away. */
    public static int remainder(int a, int b) {
        if (a > 10_000 || a < -10_000 || b > 10_000 || b < -10_000) {
            throw new Refused("a number is out of range");
        }
        int result = -1;
        if (a == 0) {
            return result;
        }
        if (b == 0) {
            return result;
        }
        int left = a;
        if (a > 0) {
            if (b > 0) {
                while (left >= b) {
                    left -= b;
                    result = left;
                }
            } else {
                while (left >= -b) {
                    left += b;
                    result = left;
                }
            }
        } else if (b > 0) {
            while (-left >= b) {
                left += b;
                result = left;
            }
        } else {
            while (left <= b) {
                left -= b;
                result = -left;
            }
        }
        return result;
    }
}
