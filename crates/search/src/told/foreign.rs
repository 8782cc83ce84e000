//! What databases say of a reference that leads nowhere.
//!
//! The sentence names the columns and the table that they refer to, and services that hand it on
//! tell what no schema shows. Only the words of PostgreSQL and `MySQL` are known here: others name
//! the constraint and nothing else.

use super::Told;

/// Longer texts are dumps of something.
const MOST: usize = 8_000;
const MOST_FIELDS: usize = 8;

pub(super) fn read(text: &str) -> Option<Told> {
    if text.len() > MOST {
        return None;
    }
    postgres(text).or_else(|| mysql(text))
}

/// `Key (a, b)=(1, 2) is not present in table "t".`
fn postgres(text: &str) -> Option<Told> {
    let (before, after) = text.split_once(" is not present in table ")?;
    let (_, key) = before.rsplit_once("Key (")?;
    let (columns, _) = key.split_once(")=(")?;
    let table = after.split_once('"')?.1.split('"').next()?;
    told(columns, table, "")
}

/// `… FOREIGN KEY (`a`) REFERENCES `t` (`k`) …`
fn mysql(text: &str) -> Option<Told> {
    let fails = text.contains("foreign key constraint fails");
    let (_, after) = text.split_once("FOREIGN KEY (").filter(|_| fails)?;
    let (columns, after) = after.split_once(')')?;
    let (_, after) = after.split_once("REFERENCES ")?;
    let (table, after) = after.split_once('(')?;
    told(columns, table, after.split(')').next().unwrap_or(""))
}

fn told(columns: &str, table: &str, keys: &str) -> Option<Told> {
    let fields = names(columns);
    // A schema or database may stand before the table.
    let table = plain(table.rsplit('.').next()?);
    let complete = !fields.is_empty() && !table.is_empty();
    complete.then(|| Told::Foreign {
        fields,
        table,
        keys: names(keys),
    })
}

fn names(list: &str) -> Vec<String> {
    let all = list.split(',').map(plain);
    let names = all.filter(|name| !name.is_empty());
    names.take(MOST_FIELDS).collect()
}

fn plain(name: &str) -> String {
    let quoted = |c: char| c.is_whitespace() || "\"'`\\".contains(c);
    name.trim_matches(quoted).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(fields: &[&str], table: &str, keys: &[&str]) -> Told {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Told::Foreign {
            fields: owned(fields),
            table: table.to_owned(),
            keys: owned(keys),
        }
    }

    #[test]
    fn postgres_tells_columns_and_table() {
        let one = read(r#"Key (feature_name)=(birch-v6vvd) is not present in table "features"."#);
        assert_eq!(one, Some(foreign(&["feature_name"], "features", &[])));
        let two = r#"insert or update on table "tags" violates foreign key constraint "tags_fkey"
            DETAIL:  Key ("tagType", value)=(a)=(b, Key () is not present in table "tag_types".
            [SQL: INSERT INTO tags ...]"#;
        let two = two.replace("Key ()", "c)");
        let expected = foreign(&["tagType", "value"], "tag_types", &[]);
        assert_eq!(read(&two), Some(expected));
    }

    #[test]
    fn mysql_tells_the_key_as_well() {
        let text = "Cannot add or update a child row: a foreign key constraint fails \
            (`shop`.`orders`, CONSTRAINT `orders_ibfk_1` FOREIGN KEY (`customer_id`) \
            REFERENCES `customers` (`id`) ON DELETE CASCADE)";
        let expected = foreign(&["customer_id"], "customers", &["id"]);
        assert_eq!(read(text), Some(expected));
        let text = text.replace("`customers`", "`shop`.`customers`");
        assert!(matches!(read(&text), Some(Told::Foreign { table, .. }) if table == "customers"));
    }

    #[test]
    fn other_sentences_tell_nothing_of_references() {
        for text in [
            r#"update or delete on table "a" violates foreign key constraint "b_fkey" on table "b""#,
            r#"Key (id)=(4) is still referenced from table "b"."#,
            "FOREIGN KEY constraint failed",
            "a foreign key constraint fails FOREIGN KEY (",
            "Key ()=() is not present in table \"\"",
            " is not present in table ",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
