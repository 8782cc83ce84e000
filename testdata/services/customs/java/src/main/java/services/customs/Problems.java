package services.customs;

import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import services.customs.Bodies.Problem;

/** How what the client did wrong is answered. The document tells it of every operation. */
@RestControllerAdvice
class Problems {
    static class NotKnown extends RuntimeException {}

    @ExceptionHandler({
        HttpMessageNotReadableException.class,
        MethodArgumentNotValidException.class,
        MethodArgumentTypeMismatchException.class,
        MissingServletRequestParameterException.class
    })
    @ResponseStatus(HttpStatus.UNPROCESSABLE_ENTITY)
    Problem wrongInput() {
        return new Problem("wrong input");
    }

    @ExceptionHandler({NotKnown.class, NoResourceFoundException.class})
    @ResponseStatus(HttpStatus.NOT_FOUND)
    Problem notKnown() {
        return new Problem("not known");
    }
}
