package services.ncs.graphql;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(proxyBeanMethods = false)
public class NcsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(NcsApplication.class, arguments);
    }
}
