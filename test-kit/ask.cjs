// One request and its answer. Not by fetch: test environments of browsers have none, and many tests put their own in its place.
'use strict';
const { request } = require('node:http');

exports.ask = (url, { method, body, form, headers }) =>
  new Promise((resolve, reject) => {
    const sends = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const text = form === undefined ? textOf(body) : new URLSearchParams(form).toString();
    const type = text === undefined ? {} : { 'content-type': sends, 'content-length': Buffer.byteLength(text) };
    const options = {
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: { ...type, ...headers },
      agent: false,
    };
    const sent = request(url, options, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const said = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          body: said.startsWith('{') ? JSON.parse(said) : said,
        });
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });

const textOf = (body) => (body === undefined ? undefined : JSON.stringify(body));
