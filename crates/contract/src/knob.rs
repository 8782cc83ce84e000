//! What the name of a parameter says it does to a list: how much of it, from where, in which
//! order, and which items.
//!
//! Nobody declares this, so it is read from names, without regard to case and punctuation. Whoever
//! plans calls and whoever judges answers must read them alike.

/// What a parameter does to a list as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knob {
    /// How many items at most.
    Size,
    /// How many items are passed over.
    Offset,
    /// Which page, counted.
    Page,
    /// Where the last page ended.
    Cursor,
    /// What the items are put in order by.
    Sort,
    /// Upwards or downwards.
    Direction,
    /// A text to look for anywhere.
    Search,
}

/// How a filter is held against a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Exactly,
    AtLeast,
    AtMost,
}

/// A name without case and punctuation.
pub fn plain_name(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

impl Knob {
    pub fn of(name: &str) -> Option<Self> {
        Some(match plain_name(name).as_str() {
            "limit" | "size" | "pagesize" | "perpage" | "first" | "take" | "top" | "pagelimit"
            | "maxresults" | "itemsperpage" | "resultsperpage" | "rows" => Self::Size,
            "offset" | "skip" | "startindex" | "pageoffset" => Self::Offset,
            "page" | "pagenumber" | "pageno" | "pagenum" | "pageindex" | "currentpage" => {
                Self::Page
            }
            "cursor" | "after" | "pagetoken" | "nexttoken" | "nextcursor" | "continuationtoken"
            | "aftercursor" | "startingafter" => Self::Cursor,
            "sort" | "sortby" | "orderby" | "order" | "ordering" | "sorting" | "sortfield"
            | "sortkey" => Self::Sort,
            "direction" | "dir" | "sortorder" | "sortdir" | "sortdirection" | "orderdir"
            | "orderdirection" | "reverse" | "desc" | "descending" | "asc" | "ascending" => {
                Self::Direction
            }
            "q" | "query" | "search" | "text" | "term" | "keyword" | "keywords" | "searchtext"
            | "searchterm" => Self::Search,
            _ => return None,
        })
    }

    /// Whether it decides which part of the whole is shown.
    pub fn cuts(self) -> bool {
        matches!(self, Self::Size | Self::Offset | Self::Page | Self::Cursor)
    }
}

impl Comparison {
    /// How a parameter of this name bounds a field, where it does.
    pub fn of(parameter: &str, field: &str) -> Option<Self> {
        const LOWEST: [&str; 7] = ["min", "minimum", "from", "since", "gte", "atleast", "start"];
        const HIGHEST: [&str; 7] = ["max", "maximum", "to", "until", "lte", "atmost", "end"];
        let (parameter, field) = (plain_name(parameter), plain_name(field));
        if field.is_empty() {
            return None;
        }
        let before = parameter.strip_suffix(&field);
        let after = parameter.strip_prefix(&field);
        let says = |words: &[&str]| [before, after].iter().flatten().any(|w| words.contains(w));
        match parameter == field {
            true => Some(Self::Exactly),
            false if says(&LOWEST) => Some(Self::AtLeast),
            false if says(&HIGHEST) => Some(Self::AtMost),
            false => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_are_known_in_any_spelling() {
        assert_eq!(Knob::of("per_page"), Some(Knob::Size));
        assert_eq!(Knob::of("pageSize"), Some(Knob::Size));
        assert_eq!(Knob::of("page"), Some(Knob::Page));
        assert_eq!(Knob::of("orderBy"), Some(Knob::Sort));
        assert_eq!(Knob::of("orderId"), None);
        assert_eq!(Knob::of("status"), None);
    }

    #[test]
    fn bounds_name_the_whole_field() {
        assert_eq!(
            Comparison::of("minPrice", "price"),
            Some(Comparison::AtLeast)
        );
        assert_eq!(
            Comparison::of("price_max", "price"),
            Some(Comparison::AtMost)
        );
        assert_eq!(
            Comparison::of("customer_id", "customerId"),
            Some(Comparison::Exactly)
        );
        assert_eq!(Comparison::of("minPrice", "pricePerDay"), None);
        assert_eq!(Comparison::of("name", "nickname"), None);
    }
}
