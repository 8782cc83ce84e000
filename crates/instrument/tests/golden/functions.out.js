function plain(a = ($f[0]?b == c:$f.eq(0,b , c))) { 'use strict'; try{$f[2]||$f.e(2);return $f.r(2,g(a)) }catch($e_fossick){throw $f.x($e_fossick)}}
function nested() { $f[4]||$f.e(4);return $f.r(4,inner()); function inner() { $f[5]||$f.h(5);return 1 } }
$f[6]||$f.h(6);const k = x => ($f[7]||$f.h(7),({ x })), l = x => {try{$f[8]||$f.h(8);return ($f[9]?x.y:$f.u(9,($f.o=x).y,"y","x"))}catch($e_fossick){throw $f.x($e_fossick)}}, m = async () => { try{$f[11]||$f.e(11);await n();$f[11]||$f.h(11); }catch($e_fossick){throw $f.x($e_fossick)}}
$f[12]||$f.h(12);class A extends ($f[13]?b.C:$f.u(13,($f.o=b).C,"C","b")) { #p = 1; static { $f[15]||$f.e(15);d();$f[15]||$f.h(15); } get q() { try{$f[16]||$f.h(16);return this.#p }catch($e_fossick){throw $f.x($e_fossick)}} constructor() { try{$f[18]||$f.e(18);super();;$f[18]||$f.h(18); $f[20]||$f.e(20);e();$f[20]||$f.h(20); }catch($e_fossick){throw $f.x($e_fossick)}} }
function* gen() { try{$f[21]||$f.h(21);const x = yield 1; $f[22]||$f.h(22);if (($f[23]?x:$f.t(23,x))) {$f[26]||$f.e(26);yield* other();$f[26]||$f.h(26);} }catch($e_fossick){throw $f.x($e_fossick)}}
$f[27]||$f.h(27);label: for (const x of xs) { $f[28]||$f.h(28);if (($f[29]?x:$f.t(29,x))) {$f[31]||$f.h(31);continue label;} else {$f[32]||$f.h(32);break} }
$f[33]||$f.h(33);with (o) { hidden() }
$f[34]||$f.h(34);a = b
$f[35]||$f.h(35);++c
$f[36]||$f.h(36);if (($f[37]?a:$f.t(37,a))) function odd() {}
