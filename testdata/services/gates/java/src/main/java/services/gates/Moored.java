package services.gates;

import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/** Its constraints are told nowhere, and no answer tells whether they hold. */
record Moored(
        @Pattern(regexp = "[A-Z]{3}-[0-9]{4}") String vessel,
        @Min(12) @Max(15) int length,
        @Size(min = 9, max = 12) String berth) {

    @AssertTrue
    boolean isOfTheVessel() {
        return berth.startsWith(vessel);
    }
}
