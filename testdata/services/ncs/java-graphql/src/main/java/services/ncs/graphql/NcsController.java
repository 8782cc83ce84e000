package services.ncs.graphql;

import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import java.util.Map;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.execution.ErrorType;
import org.springframework.stereotype.Controller;
import services.ncs.functions.Ncs;
import services.ncs.functions.Refused;

/**
 * The numerical case study as a GraphQL service: {@link Ncs} by fields.
 *
 * <p>A number that is missing or null is 0. What a function refuses is an error of the field, and so
 * is a result that is no finite number, which GraphQL cannot tell.
 */
@Controller
class NcsController {
    @QueryMapping
    int triangleClassification(@Argument Integer a, @Argument Integer b, @Argument Integer c) {
        return Ncs.triangle(orZero(a), orZero(b), orZero(c));
    }

    @QueryMapping
    double bessj(@Argument Integer n, @Argument Double x) {
        return Ncs.bessj(orZero(n), orZero(x));
    }

    @QueryMapping
    double expint(@Argument Integer n, @Argument Double x) {
        return Ncs.expint(orZero(n), orZero(x));
    }

    @QueryMapping
    double fisher(@Argument Integer m, @Argument Integer n, @Argument Double x) {
        return Ncs.fisher(orZero(m), orZero(n), orZero(x));
    }

    @QueryMapping
    double gammq(@Argument Double a, @Argument Double x) {
        return Ncs.gammq(orZero(a), orZero(x));
    }

    @QueryMapping
    int remainder(@Argument Integer a, @Argument Integer b) {
        return Ncs.remainder(orZero(a), orZero(b));
    }

    @GraphQlExceptionHandler
    GraphQLError refused(Refused refused, DataFetchingEnvironment field) {
        return GraphqlErrorBuilder.newError(field)
                .errorType(ErrorType.BAD_REQUEST)
                .message("Invalid input")
                .extensions(Map.of("errorCode", 400, "errorMessage", "Invalid input"))
                .build();
    }

    private static int orZero(Integer number) {
        return number == null ? 0 : number;
    }

    private static double orZero(Double number) {
        return number == null ? 0 : number;
    }
}
