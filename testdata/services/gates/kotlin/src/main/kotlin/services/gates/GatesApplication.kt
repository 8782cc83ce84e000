package services.gates

import com.fasterxml.jackson.databind.cfg.CoercionAction
import com.fasterxml.jackson.databind.cfg.CoercionInputShape
import com.fasterxml.jackson.databind.type.LogicalType
import com.fasterxml.jackson.module.kotlin.KotlinFeature
import com.fasterxml.jackson.module.kotlin.KotlinModule
import io.swagger.v3.oas.annotations.OpenAPIDefinition
import io.swagger.v3.oas.annotations.info.Info
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.autoconfigure.jackson.Jackson2ObjectMapperBuilderCustomizer
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer

@SpringBootApplication(proxyBeanMethods = false)
@OpenAPIDefinition(info = Info(title = "Gates", version = "1.0"))
class GatesApplication : WebMvcConfigurer {
    /** The document is also where those of the other services are. */
    override fun addViewControllers(registry: ViewControllerRegistry) {
        registry.addViewController("/openapi.json").setViewName("forward:/v3/api-docs")
    }

    @Bean
    fun noNullsInLists() = KotlinModule.Builder().enable(KotlinFeature.StrictNullChecks).build()

    @Bean
    fun textsAreTexts() = Jackson2ObjectMapperBuilderCustomizer { builder ->
        builder.postConfigurer { mapper ->
            val texts = mapper.coercionConfigFor(LogicalType.Textual)
            for (shape in listOf(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
                texts.setCoercion(shape, CoercionAction.Fail)
            }
        }
    }
}

fun main(arguments: Array<String>) {
    runApplication<GatesApplication>(*arguments)
}
