package services.scs.rest;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@SpringBootApplication(proxyBeanMethods = false)
@OpenAPIDefinition(info = @Info(title = "String case study", version = "1.0"))
public class ScsApplication implements WebMvcConfigurer {
    public static void main(String[] arguments) {
        SpringApplication.run(ScsApplication.class, arguments);
    }

    /** The document is also where those of the other services are. */
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/openapi.json").setViewName("forward:/v3/api-docs");
    }
}
