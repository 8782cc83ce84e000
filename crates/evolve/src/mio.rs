//! Many independent objectives: take a target, change one of its tests some times, keep what is no
//! worse.
//!
//! With many proposals under way, the changes of one chain begin where the chain stands when each is
//! asked for; a test that comes back no worse than that becomes the next beginning.

use std::sync::Arc;

use crate::tested::Tested;

/// Changes that follow each other.
#[derive(Debug)]
struct Chain {
    id: u64,
    target: u32,
    current: Arc<Tested>,
    value: f64,
    left: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Mio {
    chain: Option<Chain>,
    chains: u64,
}

impl Mio {
    /// The test to change next and the chain that the change belongs to, if one is under way.
    pub(crate) fn next(&mut self) -> Option<(u64, Arc<Tested>)> {
        let chain = self.chain.as_mut().filter(|chain| chain.left > 0)?;
        chain.left -= 1;
        Some((chain.id, Arc::clone(&chain.current)))
    }

    /// Begins a chain of so many changes.
    pub(crate) fn begin(&mut self, target: u32, test: Arc<Tested>, changes: usize) {
        self.chains += 1;
        self.chain = Some(Chain {
            id: self.chains,
            target,
            value: test.value(target),
            current: test,
            left: changes.max(1),
        });
    }

    /// Hears of a test; `nearer` tells that some target came nearer by it.
    pub(crate) fn learn(
        &mut self,
        tested: &Arc<Tested>,
        nearer: bool,
        covered: impl Fn(u32) -> bool,
    ) {
        let own = |chain: &&mut Chain| tested.individual.chain == Some(chain.id);
        let Some(chain) = self.chain.as_mut().filter(own) else {
            return;
        };
        let value = tested.value(chain.target);
        if nearer || value >= chain.value {
            chain.value = value;
            chain.current = Arc::clone(tested);
        }
        if covered(chain.target) {
            chain.left = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::tested;

    fn child(id: u64, chain: u64, value: f64) -> Arc<Tested> {
        let mut tested = Arc::into_inner(tested(id, 1, &[(0, value)])).expect("is alone");
        tested.individual.chain = Some(chain);
        Arc::new(tested)
    }

    fn current(mio: &mut Mio) -> Option<u64> {
        mio.next().map(|(_, test)| test.individual.id)
    }

    #[test]
    fn a_chain_goes_on_from_what_is_no_worse() {
        let mut mio = Mio::default();
        mio.begin(0, tested(1, 1, &[(0, 0.5)]), 4);
        assert_eq!(current(&mut mio), Some(1));
        mio.learn(&child(2, 1, 0.4), false, |_| false);
        assert_eq!(current(&mut mio), Some(1));
        mio.learn(&child(3, 1, 0.5), false, |_| false);
        assert_eq!(current(&mut mio), Some(3));
        mio.learn(&child(4, 1, 0.1), true, |_| false);
        assert_eq!(current(&mut mio), Some(4));
        assert_eq!(current(&mut mio), None);
    }

    #[test]
    fn a_chain_ends_when_its_target_is_covered() {
        let mut mio = Mio::default();
        mio.begin(0, tested(1, 1, &[(0, 0.5)]), 9);
        mio.learn(&child(2, 1, 1.0), true, |_| true);
        assert_eq!(current(&mut mio), None);
    }

    #[test]
    fn what_belongs_to_an_older_chain_does_not_move_the_new_one() {
        let mut mio = Mio::default();
        mio.begin(0, tested(1, 1, &[(0, 0.5)]), 1);
        mio.begin(0, tested(2, 1, &[(0, 0.6)]), 1);
        mio.learn(&child(3, 1, 0.9), true, |_| false);
        assert_eq!(current(&mut mio), Some(2));
    }
}
