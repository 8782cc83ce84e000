package services.ncs.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static services.ncs.functions.Ncs.bessj;
import static services.ncs.functions.Ncs.expint;
import static services.ncs.functions.Ncs.fisher;
import static services.ncs.functions.Ncs.gammq;
import static services.ncs.functions.Ncs.remainder;
import static services.ncs.functions.Ncs.triangle;

import org.junit.jupiter.api.Test;

class NcsTest {
    private static void near(double expected, double actual) {
        assertEquals(expected, actual, 1e-6);
    }

    @Test
    void triangles() {
        assertEquals(1, triangle(3, 4, 5));
        assertEquals(2, triangle(2, 2, 3));
        assertEquals(2, triangle(2, 3, 2));
        assertEquals(2, triangle(3, 2, 2));
        assertEquals(3, triangle(2, 2, 2));
        assertEquals(0, triangle(1, 2, 3));
        assertEquals(0, triangle(1, 3, 2));
        assertEquals(0, triangle(3, 1, 2));
        assertEquals(2, triangle(2147483647, 2147483647, 1));
        assertEquals(0, triangle(0, 1, 1));
    }

    @Test
    void besselFunctions() {
        near(0.128943249, bessj(3, 2));
        near(0.32644276, bessj(3, 3.1));
        near(-0.2902644, bessj(3, 8.1));
        near(0.0708410, bessj(4, 50));
        near(-0.128943249, bessj(3, -2));
        near(0.03399572, bessj(4, -2));
        near(0, bessj(3, 0));
        near(0, bessj(1000, 1e-5));
    }

    @Test
    void exponentialIntegrals() {
        near(0.2193839, expint(1, 1));
        near(0.0375343, expint(2, 2));
        near(0.1309773, expint(5, 0.5));
        near(1, expint(2, 0));
        near(0.3678794, expint(0, 1));
        near(0.0363940, expint(10, 1));
        assertTrue(expint(Integer.MAX_VALUE, 2) > 0);
    }

    @Test
    void fDistributions() {
        near(0.26079803, fisher(4, 5, 0.5));
        near(0.89807904, fisher(5, 4, 4));
        near(0.96240234, fisher(6, 8, 4));
        near(0.29179141, fisher(3, 3, 0.5));
        near(0.44721360, fisher(1, 2, 0.5));
        near(0.29289322, fisher(2, 1, 0.5));
        near(0.5, fisher(2, 2, 1));
        near(0, fisher(30, 1, 0.001));
        near(1, fisher(30, 2, -1));
    }

    @Test
    void incompleteGammaFunctions() {
        near(0.317311, gammq(0.5, 0.5));
        near(0.135335, gammq(1, 2));
        near(0.457930, gammq(10, 10));
        near(0.158279, gammq(100, 110));
        near(1, gammq(7.5, 0));
    }

    @Test
    void remaindersAgreeWithTheRule() {
        for (int a = -40; a <= 40; a++) {
            for (int b = -40; b <= 40; b++) {
                boolean done = a != 0 && b != 0 && Math.abs(a) >= Math.abs(b);
                int sign = a < 0 && 0 < b ? -1 : 1;
                int expected = done ? sign * (Math.abs(a) % Math.abs(b)) : -1;
                assertEquals(expected, remainder(a, b), a + " and " + b);
            }
        }
    }

    @Test
    void refusals() {
        assertThrows(Refused.class, () -> bessj(2, 1));
        assertThrows(Refused.class, () -> bessj(1001, 1));
        assertThrows(Refused.class, () -> expint(-1, 1));
        assertThrows(Refused.class, () -> expint(1, -1));
        assertThrows(Refused.class, () -> expint(0, 0));
        assertThrows(Refused.class, () -> expint(1, 0));
        assertThrows(Refused.class, () -> expint(3, Double.POSITIVE_INFINITY));
        assertThrows(Refused.class, () -> expint(3, Double.NaN));
        assertThrows(Refused.class, () -> fisher(1001, 1, 1));
        assertThrows(Refused.class, () -> fisher(1, 1001, 1));
        assertThrows(Refused.class, () -> gammq(1, -1));
        assertThrows(Refused.class, () -> gammq(0, 1));
        assertThrows(Refused.class, () -> gammq(1000, 1000));
        assertThrows(Refused.class, () -> gammq(10_000, 10_001));
        assertThrows(Refused.class, () -> gammq(Double.POSITIVE_INFINITY, 1));
        assertThrows(Refused.class, () -> gammq(1, Double.POSITIVE_INFINITY));
        assertThrows(Refused.class, () -> remainder(10_001, 1));
        assertThrows(Refused.class, () -> remainder(1, -10_001));
    }

    @Test
    void whatDoesNotConvergeIsNextToWhatDoes() {
        near(0.9994501, gammq(1000, 900));
        near(0, gammq(10_000, 11_000));
    }

    @Test
    void whatHasNoValue() {
        assertTrue(Double.isNaN(bessj(3, Double.NaN)));
        assertTrue(Double.isNaN(bessj(3, 1e-50)));
        assertTrue(Double.isNaN(fisher(2, 2, 0)));
        assertTrue(Double.isNaN(fisher(0, 0, 0)));
    }
}
