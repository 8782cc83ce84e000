package services.gates;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;

/** What is sent and answered, as the document tells it; hidden fields it does not tell. */
interface Bodies {
    @Schema(requiredProperties = {"gate", "open"})
    record Gate(String gate, boolean open) {}

    @Schema(requiredProperties = {"ticket", "number"})
    record Ticket(int ticket, int number) {}

    record Order(@NotNull String item, @JsonAnySetter @Schema(hidden = true) Map<String, Object> others) {
        public Order {
            others = others == null ? Map.of() : others;
        }
    }

    record Profile(@NotNull String name, @Schema(hidden = true) JsonNode settings) {}

    record Passwords(@NotNull String password, @NotNull String repeated) {}

    record Import(@NotNull String document) {}

    record Basket(@NotNull List<@NotNull String> items) {}

    record Transfer(@NotNull String account, @NotNull Integer amount) {}

    record Entry(@NotNull Integer amount) {}

    record Closing(@NotNull Integer total) {}

    record Valve(@NotNull String position) {}

    record Piece(@NotNull String code, @NotNull Integer weight) {}

    record Load(@NotNull List<@NotNull @Valid Piece> pieces) {}

    record Rota(@NotNull List<@NotNull String> watches) {}

    record Charter(@NotNull String vessel, @Schema(hidden = true) String broker) {}

    record Mooring(@NotNull String vessel, @NotNull Integer length, @NotNull String berth) {}
}
