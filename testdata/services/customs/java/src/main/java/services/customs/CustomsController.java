package services.customs;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.util.List;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import services.customs.Bodies.Amendment;
import services.customs.Bodies.Breaking;
import services.customs.Bodies.Declaration;
import services.customs.Bodies.DeclarationView;
import services.customs.Bodies.Duty;
import services.customs.Bodies.Login;
import services.customs.Bodies.OfficerView;
import services.customs.Bodies.Parcel;
import services.customs.Bodies.ParcelView;
import services.customs.Bodies.Quote;
import services.customs.Bodies.Seal;
import services.customs.Bodies.SealView;
import services.customs.Bodies.Shift;

/**
 * A customs office: declarations, tariffs, parcels, officers and seals.
 *
 * <p>POST /__reset forgets what earlier calls have left.
 */
@RestController
class CustomsController {
    private final Office office = new Office();

    @PostMapping("/declarations")
    @ResponseStatus(HttpStatus.CREATED)
    DeclarationView declare(@Valid @RequestBody Declaration body) {
        Rules.checkReference(body.reference());
        Rules.checkOrigin(body.origin());
        Rules.checkDay(body.declaredOn());
        Rules.checkItems(body.items());
        return office.declare(body);
    }

    @GetMapping("/declarations")
    List<DeclarationView> search(@RequestParam String q) {
        Rules.checkSearch(q);
        return office.declarationsWith(q);
    }

    @GetMapping("/declarations/{number}")
    DeclarationView declaration(@PathVariable int number) {
        return office.declaration(number);
    }

    @PostMapping("/declarations/{number}/amendments")
    DeclarationView amend(@PathVariable int number, @Valid @RequestBody Amendment body) {
        DeclarationView known = office.declaration(number);
        Rules.checkAmendment(known.reference(), body.reason());
        return known;
    }

    @GetMapping("/tariffs/{code}")
    Duty tariff(@PathVariable String code, @RequestParam int quantity, @RequestParam int weight) {
        Rules.checkCode(code);
        Rules.checkLoad(quantity, weight);
        return new Duty(code, Rules.duty(quantity));
    }

    @PostMapping("/quotes")
    Duty quote(@Valid @RequestBody Quote body, HttpServletRequest request) {
        Rules.checkTreaty(Objects.requireNonNullElse(request.getHeader("X-Treaty"), ""));
        Rules.checkExemptions(body.exemptions());
        Rules.checkCurrency(body.currency(), body.value());
        return new Duty(body.code(), Rules.duty(body.value()));
    }

    @PostMapping("/parcels")
    @ResponseStatus(HttpStatus.CREATED)
    ParcelView register(@Valid @RequestBody Parcel body) {
        Rules.checkLabel(body.label());
        Rules.checkStay(body.arrived(), body.released());
        office.register(body);
        return new ParcelView(body.barcode(), body.sender());
    }

    @GetMapping("/parcels/{barcode}")
    ParcelView parcel(@PathVariable String barcode, HttpServletRequest request) {
        Office.Stored known = office.parcel(barcode);
        Rules.checkReturn(known, request.getParameter("via"));
        return new ParcelView(barcode, known.told().sender());
    }

    @PostMapping("/officers/login")
    OfficerView login(@Valid @RequestBody Login body) {
        office.login(body.badge(), body.phrase());
        return new OfficerView(body.badge());
    }

    @PutMapping("/officers/{badge}/shift")
    OfficerView shift(@PathVariable String badge, @Valid @RequestBody Shift body) {
        office.shift(body.begin(), body.end(), body.post());
        return new OfficerView(badge);
    }

    @PostMapping("/seals")
    @ResponseStatus(HttpStatus.CREATED)
    SealView seal(@Valid @RequestBody Seal body) {
        Rules.checkWeights(body.weights());
        office.seal(body);
        return new SealView(body.serial(), body.kind());
    }

    @PostMapping("/seals/{serial}/break")
    SealView breakSeal(@PathVariable String serial, @Valid @RequestBody Breaking body) {
        Seal known = office.seal(serial);
        Rules.checkToken(body.token());
        return new SealView(serial, known.kind());
    }

    @Hidden
    @PostMapping("/__reset")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void reset() {
        office.forget();
    }
}
