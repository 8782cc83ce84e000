package services.customs;

import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.models.responses.ApiResponse;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.jackson.Jackson2ObjectMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@SpringBootApplication(proxyBeanMethods = false)
@OpenAPIDefinition(info = @Info(title = "Customs", version = "1"))
public class CustomsApplication implements WebMvcConfigurer {
    public static void main(String[] arguments) {
        SpringApplication.run(CustomsApplication.class, arguments);
    }

    /** The document is also where those of the other services are. */
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/openapi.json").setViewName("forward:/v3/api-docs");
    }

    /** The web server refuses such paths before any controller sees them. */
    @Bean
    static OpenApiCustomizer wrongPaths() {
        ApiResponse refusal = new ApiResponse().description("A path with an encoded slash, say");
        return document -> document.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .forEach(operation -> operation.getResponses().addApiResponse("400", refusal));
    }

    @Bean
    static Jackson2ObjectMapperBuilderCustomizer textsAreTexts() {
        return builder -> builder.postConfigurer(mapper -> mapper.coercionConfigFor(LogicalType.Textual)
                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }
}
