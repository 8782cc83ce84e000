package services.scs.graphql;

import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import java.util.Map;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.execution.ErrorType;
import org.springframework.stereotype.Controller;
import services.scs.functions.Scs;

/**
 * The string case study as a GraphQL service: {@link Scs} by fields.
 *
 * <p>A number that is missing or null is 0; a text that is missing or null is an error of the field.
 */
@Controller
class ScsController {
    private static class NoText extends RuntimeException {}

    @QueryMapping
    String calc(@Argument String op, @Argument Double arg1, @Argument Double arg2) {
        return Double.toString(Scs.calc(text(op), orZero(arg1), orZero(arg2)));
    }

    @QueryMapping
    String cookie(@Argument String name, @Argument String val, @Argument String site) {
        return Scs.cookie(text(name), text(val), text(site));
    }

    @QueryMapping
    String costfuns(@Argument Integer i, @Argument String s) {
        return Scs.costfuns(orZero(i), text(s));
    }

    @QueryMapping
    String dateParse(@Argument String dayname, @Argument String monthname) {
        return Scs.dateParse(text(dayname), text(monthname));
    }

    @QueryMapping
    String fileSuffix(@Argument String directory, @Argument String file) {
        return Scs.fileSuffix(text(directory), text(file));
    }

    @QueryMapping
    String notyPevar(@Argument Integer i, @Argument String s) {
        return Scs.notyPevar(orZero(i), text(s));
    }

    @QueryMapping
    String ordered4(@Argument String w, @Argument String x, @Argument String z, @Argument String y) {
        return Scs.ordered4(text(w), text(x), text(z), text(y));
    }

    @QueryMapping
    String pat(@Argument String txt, @Argument String pat) {
        return Scs.pat(text(txt), text(pat));
    }

    @QueryMapping
    String regex(@Argument String txt) {
        return Scs.regex(text(txt));
    }

    @QueryMapping
    String text2Txt(@Argument String word1, @Argument String word2, @Argument String word3) {
        return Scs.text2Txt(text(word1), text(word2), text(word3));
    }

    @QueryMapping
    String title(@Argument String sex, @Argument String title) {
        return Scs.title(text(sex), text(title));
    }

    @GraphQlExceptionHandler
    GraphQLError refused(NoText refused, DataFetchingEnvironment field) {
        return GraphqlErrorBuilder.newError(field)
                .errorType(ErrorType.BAD_REQUEST)
                .message("Invalid input")
                .extensions(Map.of("errorCode", 400, "errorMessage", "Invalid input"))
                .build();
    }

    private static String text(String told) {
        if (told == null) {
            throw new NoText();
        }
        return told;
    }

    private static int orZero(Integer number) {
        return number == null ? 0 : number;
    }

    private static double orZero(Double number) {
        return number == null ? 0 : number;
    }
}
