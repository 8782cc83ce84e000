//! Whatever can be read is rewritten to what can be read again, on as many lines.

use fossick_instrument::{Goal, PLACEHOLDER, instrument};
use proptest::prelude::*;

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("a".to_owned()),
        Just("b.c".to_owned()),
        Just("d?.e".to_owned()),
        Just("'text'".to_owned()),
        Just("1".to_owned()),
        Just("this".to_owned()),
        Just("(x) => x".to_owned()),
        Just("function () { return a }".to_owned()),
        Just("/* c */ f()".to_owned()),
        Just("`t${a}`".to_owned()),
        Just("req.body['x-y']".to_owned()),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let operator = prop::sample::select(vec![
            "==",
            "!==",
            "<",
            ">=",
            "&&",
            "||",
            "+",
            ",",
            "in",
            "instanceof",
            "=== // c\n",
        ]);
        prop_oneof![
            (two.clone(), operator).prop_map(|((a, b), op)| format!("(({a}) {op} ({b}))")),
            two.clone().prop_map(|(a, b)| format!("({a})\n?? ({b})")),
            two.clone().prop_map(|(a, b)| format!("g({a}, {b})")),
            two.clone()
                .prop_map(|(a, b)| format!("({a}).startsWith({b})")),
            two.clone()
                .prop_map(|(a, b)| format!("({a})?.has(\n{b})?.x.y")),
            two.clone().prop_map(|(a, b)| format!("({a})[{b}]")),
            two.clone()
                .prop_map(|(a, b)| format!("(({a}) ? ({b}) : !({a}))")),
            two.clone().prop_map(|(a, b)| format!("[{a}, ...{b}]")),
            two.clone()
                .prop_map(|(a, b)| format!("({{ x: {a}, [{b}]: 1 }})")),
            inner
                .clone()
                .prop_map(|a| format!("(async () => await ({a}))()")),
            inner.clone().prop_map(|a| format!("new Date({a})")),
            inner.prop_map(|a| format!("JSON.parse({a})")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let simple = expression().prop_map(|it| format!("y = {it}"));
    simple.prop_recursive(4, 24, 3, |inner| {
        let condition = expression().boxed();
        prop_oneof![
            (condition.clone(), inner.clone())
                .prop_map(|(c, s)| format!("if ({c}) {s}\nelse {{ {s} }}")),
            (condition.clone(), inner.clone()).prop_map(|(c, s)| format!("while ({c}) {s}")),
            (condition.clone(), inner.clone()).prop_map(|(c, s)| format!("do {s}\nwhile ({c})")),
            (condition.clone(), inner.clone())
                .prop_map(|(c, s)| format!("switch ({c}) {{ case {c}: {s}\ndefault: {s} }}")),
            (condition.clone(), inner.clone())
                .prop_map(|(c, s)| format!("function h() {{ {s}\nreturn {c} }}")),
            (condition.clone(), inner.clone())
                .prop_map(|(c, s)| format!("try {{ {s} }} catch (e) {{ throw {c} }}")),
            (condition, inner.clone())
                .prop_map(|(c, s)| format!("var {{ p, q }} = {c}; l: for (const x of {c}) {s}")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("{{ {a}\n{b} }}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_can_be_read_is_rewritten_to_what_can_be_read(
        statements in prop::collection::vec(statement(), 1..5)
    ) {
        let source = statements.join("\n");
        for goal in [Goal::Script, Goal::Module, Goal::Typescript] {
            let Ok(once) = instrument(&source, goal, None) else { continue };
            prop_assert_eq!(source.lines().count(), once.code.lines().count());
            // Under another name it is a program like any other.
            let named = once.code.replace(PLACEHOLDER, "$f_1111111111");
            let twice = instrument(&named, goal, None);
            prop_assert!(twice.is_ok(), "{:?}\n{}\n{}", twice.err(), source, named);
        }
    }
}
