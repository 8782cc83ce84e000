#!/usr/bin/env node
import http from 'node:http'
s.startsWith('pre-') || set.has(s) || /^[a-c]/.test(s)
req.query.name.includes(x)
a?.b.includes(x) ?? a?.b?.includes(x)
delete a?.b, f?.(), o.m?.()
try { JSON.parse(x) } catch { }
Number(x) === new Date(x)
app.get('/', (req, res) => res.send(1))
const { role, a: b = 1 } = req.body, c = req.headers['x-secret']
x.y.z = req.params[key]
http.METHODS
export default async (x) => await x.y(1)
