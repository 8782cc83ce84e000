package services.scs.graphql;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(proxyBeanMethods = false)
public class ScsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ScsApplication.class, arguments);
    }
}
