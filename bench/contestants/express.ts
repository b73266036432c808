import express from 'express';

// The same with express, for docs/decisions/0003-functions-answer-on-node-http.md.
const app = express();
app.use(express.json({ limit: '2mb' }));
app.post(['/', '/pod-changed'], (_request, response) => {
  response.status(204).end();
});
app.listen(Number(process.env['PORT']));
