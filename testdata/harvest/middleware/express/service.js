'use strict';

// A small service to try the middleware with: node service.js PORT COLLECTOR

const express = require('express');
const harvest = require('./harvest');

const [port, collector] = process.argv.slice(2);
const app = express();
app.use(harvest({ collector }));
app.use(express.json({ limit: '1mb' }));
app.use(express.urlencoded({ extended: false }));

app.get('/books', (req, res) => res.json([{ id: 1, tag: req.query.tag }]));
app.post('/books', (req, res) => res.status(201).json({ id: 2, title: req.body.title }));
app.post('/login', (req, res) => res.type('text/plain').send(`welcome ${req.body.user}`));
app.get('/large', (req, res) => res.type('text/plain').send('x'.repeat(200000)));
app.get('/fail', () => {
  throw new Error('as it should');
});
app.use((error, req, res, next) => res.status(500).json({ error: error.message }));

app.listen(Number(port), '127.0.0.1');
