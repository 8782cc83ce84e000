'use strict';
$f[0]||$f.h(0);if ($f.w(1,($f[3]?a === 1:$f.seq(3,a , 1)) && !($f[5]?b:$f.t(5,b)) || ($f[7]?(c & 1) === 0:$f.seq(7,(c & 1) , 0)))) {$f[10]||$f.e(10);one();;$f[10]||$f.h(10);} else {$f[11]||$f.h(11);if (($f[12]?d:$f.t(12,d))) {$f[15]||$f.e(15);two();$f[15]||$f.h(15);}}
$f[16]||$f.h(16);while (($f[17]?x > 0:$f.gt(17,x , 0))) {$f[19]||$f.h(19);x--}
$f[20]||$f.h(20);do { $f[22]||$f.e(22);y();$f[22]||$f.h(22); } while (!($f[23]?z:$f.t(23,z)))
$f[25]||$f.h(25);for (let i = 0; ($f[26]?i < n:$f.lt(26,i , n)); i++) {$f[28]||$f.h(28);if (($f[29]?i:$f.t(29,i))) {$f[31]||$f.h(31);continue}}
$f[32]||$f.h(32);const s = ($f[33]?a:$f.t(33,a)) ? b : c, t = ($f[35]?a:$f.t(35,a)) || ($f[37]?b:$f.t(37,b)) && c, u = ($f[39]?a:$f.n(39,a)) ?? b
$f[41]||$f.h(41);switch ($f.d=(kind)) { case ($f[42]?'a':$f.k(42,'a')): $f[44]||$f.h(44);return 1; case ($f[45]?other:$f.k(45,other)): case f(): default: }
$f[47]||$f.h(47);switch (true) { case ($f[48]?a > 1:$f.gt(48,a , 1)): $f[50]||$f.h(50);break }
$f[51]||$f.h(51);($f[52]?typeof a === 'string':$f.seq(52,typeof a , 'string',2))
$f[54]||$f.e(54);$f.eq(55,a.toLowerCase() , 'x',1);$f[54]||$f.h(54);
$f[56]||$f.h(56);$f.ne(57,a /* == */ , // comment
  b)
