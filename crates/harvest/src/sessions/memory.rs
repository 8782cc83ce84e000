//! What is remembered of a session.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::exchange::{Exchange, Given, Sent};
use super::template::Template;
use super::topics::topic;

/// Answers of a session that are remembered.
const ANSWERS: usize = 32;

#[derive(Default)]
pub(super) struct Session {
    /// When it last called.
    pub at: u64,
    answers: VecDeque<Answer>,
}

/// What one answer gave.
pub(super) struct Answer {
    from: String,
    origins: Vec<Origin>,
    /// Hashes, sorted, each with the number of its origin.
    values: Vec<(u64, u16)>,
}

struct Origin {
    pointer: String,
    topic: String,
    weak: bool,
}

impl Session {
    pub(super) fn values(&self) -> usize {
        self.answers.iter().map(|answer| answer.values.len()).sum()
    }

    pub(super) fn remember(&mut self, answer: Answer) {
        self.answers.push_back(answer);
        if self.answers.len() > ANSWERS {
            self.answers.pop_front();
        }
    }

    /// The first answer that gave a value, which may have made it, and the latest, which the
    /// client may have read last.
    pub(super) fn origins(&self, sent: &Sent) -> Vec<(&str, &str)> {
        let mut found = self.answers.iter().filter_map(|answer| answer.origin(sent));
        let (first, last) = (found.next(), found.next_back());
        first.into_iter().chain(last).collect()
    }
}

impl Answer {
    fn origin(&self, sent: &Sent) -> Option<(&str, &str)> {
        let at = self
            .values
            .binary_search_by_key(&sent.hash, |(hash, _)| *hash)
            .ok()?;
        let (_, origin) = self.values.get(at)?;
        let origin = self.origins.get(usize::from(*origin))?;
        let sure = !sent.weak && !origin.weak;
        let agree = !origin.topic.is_empty() && origin.topic == sent.topic;
        (sure || agree).then_some((self.from.as_str(), origin.pointer.as_str()))
    }

    /// One for each root field in GraphQL. What the call had sent itself is no gift of its own.
    pub(super) fn of(exchange: Exchange, template: Option<&Template>) -> Vec<Self> {
        let label = exchange.label(template);
        let about = template
            .and_then(Template::last_word)
            .map(topic)
            .unwrap_or_default();
        let sent: BTreeSet<u64> = exchange.sent.iter().map(|sent| sent.hash).collect();
        let mut answers: BTreeMap<String, Vec<Given>> = BTreeMap::new();
        for mut given in exchange
            .given
            .into_iter()
            .filter(|given| !sent.contains(&given.hash))
        {
            let Some(from) = given.root.take().or_else(|| label.clone()) else {
                continue;
            };
            if given.topic.is_empty() {
                given.topic = if label.is_some() {
                    about.clone()
                } else {
                    topic(&from)
                };
            }
            answers.entry(from).or_default().push(given);
        }
        let answers = answers.into_iter();
        answers
            .map(|(from, given)| Self::holding(from, given))
            .collect()
    }

    fn holding(from: String, given: Vec<Given>) -> Self {
        let mut origins: Vec<Origin> = Vec::new();
        let mut values = Vec::with_capacity(given.len());
        for given in given {
            let known = origins
                .iter()
                .position(|o| o.pointer == given.pointer && o.weak == given.weak);
            let at = known.unwrap_or(origins.len());
            if known.is_none() {
                origins.push(Origin {
                    pointer: given.pointer,
                    topic: given.topic,
                    weak: given.weak,
                });
            }
            values.push((given.hash, u16::try_from(at).unwrap_or(u16::MAX)));
        }
        values.sort_unstable();
        values.dedup_by_key(|(hash, _)| *hash);
        Self {
            from,
            origins,
            values,
        }
    }
}
