//! The loop: propose, run, judge, learn; budget, lock-out and confirmation.
