package services.ncs.rest;

import io.swagger.v3.oas.annotations.media.Schema;

/** One of the two is null. Both are, where the result has no value or is infinite. */
@Schema(requiredProperties = {"resultAsInt", "resultAsDouble"})
record Result(
        @Schema(types = {"integer", "null"}) Integer resultAsInt,
        @Schema(types = {"number", "null"}) Double resultAsDouble) {

    static Result of(int result) {
        return new Result(result, null);
    }

    static Result of(double result) {
        return new Result(null, Double.isFinite(result) ? result : null);
    }
}
