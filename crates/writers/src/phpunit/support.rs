//! What the tests share: where the service is, who the users are, how it is started.

use fossick_suite::{Login, Reset, SecretHeader, Service, Suite, User};

use super::{RESERVED, Writer, call, head, literal, request};
use crate::arrange::variables;
use crate::names::{camel, pascal};
use crate::page::Page;
use crate::variables::{Variables, environment, header, header_text, secrets};
use crate::{File, prose};

pub(super) fn files(suite: &Suite, writer: &Writer<'_>) -> Vec<File> {
    let class = |name: &str, text: &str| {
        let text = text.replace("@NAMESPACE@", &writer.namespace);
        File::new(format!("tests/{name}.php"), opening(suite) + &text)
    };
    vec![
        File::new("phpunit.xml", configuration(writer)),
        File::new("tests/bootstrap.php", bootstrap(suite)),
        class("Answer", include_str!("Answer.php.in")),
        class(
            "ApiTestCase",
            &include_str!("ApiTestCase.php.in").replace("@USERS@\n", &base(suite, writer)),
        ),
        class("Item", include_str!("Item.php.in")),
        class("Schema", include_str!("Schema.php.in")),
        class("Sender", include_str!("Sender.php.in")),
    ]
}

fn opening(suite: &Suite) -> String {
    let mut page = Page::new("    ");
    head(&mut page, prose::head(suite, None));
    page.finish()
}

fn configuration(writer: &Writer<'_>) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<phpunit bootstrap="tests/bootstrap.php" cacheResult="false" colors="true" failOnRisky="true" failOnWarning="true">
    <testsuites>
        <testsuite name="{}">
            <directory>tests</directory>
        </testsuite>
    </testsuites>
</phpunit>
"#,
        writer.namespace
    )
}

fn bootstrap(suite: &Suite) -> String {
    let mut page = Page::new("    ");
    let mut about = prose::head(suite, None).to_vec();
    let needed = secrets(suite);
    if !needed.is_empty() {
        about.push(format!("Needs in the environment: {}", needed.join(", ")));
    }
    head(&mut page, about);
    page.line("");
    page.line("declare(strict_types=1);");
    page.line("");
    for name in ["Schema", "Item", "Answer", "Sender", "ApiTestCase"] {
        page.line(format!("require_once __DIR__ . '/{name}.php';"));
    }
    started(&mut page, suite);
    page.finish()
}

fn started(page: &mut Page, suite: &Suite) {
    let Service { start, stop, .. } = &suite.service;
    if let Some(start) = start {
        let start = literal::string(start);
        page.line("");
        page.line(format!(
            "$service = proc_open(['sh', '-c', {start}], [], $pipes);"
        ));
        page.line(format!(
            "$handle = curl_init(getenv('FOSSICK_BASE_URL') ?: {});",
            base_url(suite)
        ));
        page.lines(include_str!("answering.php.in").lines());
    }
    if start.is_none() && stop.is_none() {
        return;
    }
    page.line("");
    let service = if start.is_some() {
        " use ($service)"
    } else {
        ""
    };
    page.open(format!(
        "register_shutdown_function(function (){service}: void {{"
    ));
    if let Some(stop) = stop {
        page.line(format!("passthru({});", literal::string(stop)));
    }
    if start.is_some() {
        page.line("proc_terminate($service);");
    }
    page.close("});");
}

fn base_url(suite: &Suite) -> String {
    literal::string(&suite.base_url)
}

/// The part of the base class that depends on the suite.
fn base(suite: &Suite, writer: &Writer<'_>) -> String {
    let mut page = Page::new("    ");
    page.open("");
    if suite.users.iter().any(|user| user.login.is_some()) {
        page.line("/** @var array<string, string> */");
        page.line("private static array $tokens = [];");
        page.gap();
    }
    if let Some(reset) = &suite.service.reset {
        set_up(&mut page, reset);
    }
    sender(&mut page, suite, writer);
    for (user, name) in suite.users.iter().zip(&writer.users) {
        if let Some(login) = &user.login {
            log_in(&mut page, login, name, suite);
        }
    }
    page.gap();
    page.finish().trim_start_matches('\n').to_owned()
}

fn sender(page: &mut Page, suite: &Suite, writer: &Writer<'_>) {
    page.line("protected static function sender(string $user): Sender");
    page.open("{");
    page.line("return new Sender(self::baseUrl(), match ($user) {");
    for (user, name) in suite.users.iter().zip(&writer.users) {
        let mut headers: Vec<String> = user.headers.iter().map(secret_header).collect();
        headers.extend(user.login.iter().map(|login| token_header(login, name)));
        page.line(format!("    '{name}' => [{}],", headers.join(", ")));
    }
    page.line("    'nobody' => [],");
    page.line("});");
    page.close("}");
    page.gap();
    page.line("private static function baseUrl(): string");
    page.open("{");
    page.line(format!(
        "return rtrim(getenv('FOSSICK_BASE_URL') ?: {}, '/');",
        base_url(suite)
    ));
    page.close("}");
}

fn secret_header(secret: &SecretHeader) -> String {
    let name = literal::string(&format!("{}: ", header(&secret.name)));
    format!("{name} . self::secret('{}')", environment(&secret.variable))
}

fn token_header(login: &Login, name: &str) -> String {
    let before = format!("{}: {}", header(&login.header), header_text(&login.prefix));
    format!(
        "{} . self::$tokens['{name}'] ??= self::logIn{}()",
        literal::string(&before),
        pascal(name, "")
    )
}

fn log_in(page: &mut Page, login: &Login, name: &str, suite: &Suite) {
    page.gap();
    page.line("/**");
    page.line(" * Once in a run.");
    page.line(" */");
    page.line(format!(
        "private static function logIn{}(): string",
        pascal(name, "")
    ));
    page.open("{");
    let needed = variables(&login.request);
    let names = Variables::of_names(needed.iter().map(|name| (name, true)), camel, &RESERVED);
    for variable in &needed {
        page.line(format!(
            "${} = self::secret('{}');",
            names.get(variable),
            environment(variable)
        ));
    }
    let user: Option<&User> = login.request.user.and_then(|user| suite.users.get(user));
    let headers = user.map(|user| user.headers.iter().map(secret_header).collect::<Vec<_>>());
    let headers = headers.unwrap_or_default().join(", ");
    page.line(format!(
        "$nobody = new Sender(self::baseUrl(), [{headers}]);"
    ));
    request::request(page, &login.request, "nobody", &names);
    let arguments = [
        "2".to_owned(),
        "intdiv($answer->status, 100)".to_owned(),
        format!(
            "{} . $answer->story()",
            literal::string(&format!("{name} can't log in: "))
        ),
    ];
    call(page, "self::assertSame(", &arguments, ");");
    page.line("");
    page.line(format!(
        "return self::text($answer->{});",
        request::take(&login.take)
    ));
    page.close("}");
}

fn set_up(page: &mut Page, reset: &Reset) {
    page.line("/**");
    page.line(" * Each test begins with a service that was reset.");
    page.line(" */");
    page.line("protected function setUp(): void");
    page.open("{");
    match reset {
        Reset::Command(command) => {
            page.line(format!("passthru({}, $status);", literal::string(command)));
            page.line("self::assertSame(0, $status, 'The service was not reset.');");
        }
        Reset::Url(url) => {
            page.line(format!(
                "$service = new Sender({}, []);",
                literal::string(url)
            ));
            page.line("$answer = $service->send('POST', '');");
            page.line("self::assertSame(2, intdiv($answer->status, 100), $answer->story());");
        }
    }
    page.close("}");
    page.gap();
}
