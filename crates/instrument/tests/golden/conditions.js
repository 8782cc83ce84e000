'use strict';
if (a === 1 && !b || (c & 1) === 0) one(); else if (d) two()
while (x > 0) x--
do { y() } while (!z)
for (let i = 0; i < n; i++) if (i) continue
const s = a ? b : c, t = a || b && c, u = a ?? b
switch (kind) { case 'a': return 1; case other: case f(): default: }
switch (true) { case a > 1: break }
typeof a === 'string'
a.toLowerCase() == 'x'
a /* == */ != // comment
  b
