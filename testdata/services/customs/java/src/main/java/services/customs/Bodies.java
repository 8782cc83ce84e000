package services.customs;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.List;

/** What is sent and answered, as the document tells it; hidden fields it does not tell. */
interface Bodies {
    record Item(@NotNull String code, @NotNull Integer quantity, @NotNull Double value) {}

    record Declaration(
            @NotNull String reference,
            @NotNull String origin,
            @NotNull @JsonProperty("declared_on") String declaredOn,
            @NotNull List<@NotNull @Valid Item> items) {}

    record Amendment(@NotNull String reason, @NotNull Double value) {}

    record Quote(
            @NotNull String code,
            @NotNull Double value,
            @NotNull String currency,
            @Schema(hidden = true) JsonNode exemptions) {}

    record Parcel(
            @NotNull String barcode,
            @NotNull String sender,
            @NotNull String label,
            @NotNull String arrived,
            @NotNull String released) {}

    record Login(@NotNull String badge, @NotNull String phrase) {}

    record Shift(@NotNull String begin, @NotNull String end, @NotNull String post) {}

    record Seal(@NotNull String serial, @NotNull String kind, @NotNull List<@NotNull Integer> weights) {}

    record Breaking(@NotNull String token, @NotNull String officer) {}

    @Schema(requiredProperties = {"number", "reference", "lines"})
    record DeclarationView(int number, String reference, int lines) {}

    @Schema(requiredProperties = {"code", "duty"})
    record Duty(String code, double duty) {}

    @Schema(requiredProperties = {"barcode", "sender"})
    record ParcelView(String barcode, String sender) {}

    @Schema(requiredProperties = "badge")
    record OfficerView(String badge) {}

    @Schema(requiredProperties = {"serial", "kind"})
    record SealView(String serial, String kind) {}

    @Schema(requiredProperties = "detail")
    record Problem(String detail) {}
}
