#!/usr/bin/env node
import http from 'node:http'
$f[1]||$f.e(1);$f.m(2,"startsWith",s.startsWith('pre-'),s,'pre-') || $f.m(4,"has",set.has(s),set,s) || $f.M(6,"test",$f.g(6,/^[a-c]/).test($f.a(6,s)));$f[1]||$f.h(1);
$f[8]||$f.e(8);$f.M(9,"includes",$f.g(9,req.query.name,"includes","req.query.name").includes($f.a(9,x)));$f[8]||$f.h(8);
$f[11]||$f.e(11);$f.n(12,($f[14]?a:$f.n(14,a))?.b.includes(x)) ?? $f.M(16,"includes",$f.g(16,$f.n(17,$f.u(19,($f.o=($f[20]?a:$f.n(20,a)))?.b,"b","a")))?.includes($f.a(16,x)));$f[11]||$f.h(11);
$f[23]||$f.e(23);delete ($f[24]?a:$f.n(24,a))?.b, ($f[26]?f:$f.n(26,f))?.(), o.m?.();$f[23]||$f.h(23);
$f[28]||$f.h(28);try { $f[30]||$f.e(30);$f.M(31,"parse",$f.g(31,JSON,"parse","JSON").parse($f.a(31,x,"parse")));$f[30]||$f.h(30); } catch {$f.z(); }
$f[33]||$f.e(33);$f.seq(34,$f.P(35,"Number",Number($f.a(35,x)),Number) , $f.P(36,"new Date",new Date($f.a(36,x)),Date));$f[33]||$f.h(33);
$f[38]||$f.e(38);app.get('/', (req, res) => {try{$f[40]||$f.e(40);return $f.r(40,res.send(1))}catch($e_fossick){throw $f.x($e_fossick)}});$f[38]||$f.h(38);
$f[41]||$f.h(41);const { role, a: b = 1 } = $f.D(42,req.body,"role,a","req.body","body"), c = ($f[43]?req.headers['x-secret']:$f.u(43,($f.o=req.headers)['x-secret'],"x-secret","headers"))
$f[44]||$f.h(44);($f[45]?x.y:$f.u(45,($f.o=x).y,"y","x")).z = $f.v(46,($f.o=req.params)[$f.q=(key)])
$f[47]||$f.h(47);http.METHODS
$f[48]||$f.h(48);export default async (x) => {try{$f[50]||$f.e(50);return $f.r(50,await x.y(1))}catch($e_fossick){throw $f.x($e_fossick)}}
