package services.ncs.functions;

/** The function does not take such values, or finds no end with them. */
public class Refused extends RuntimeException {
    public Refused(String reason) {
        super(reason);
    }
}
