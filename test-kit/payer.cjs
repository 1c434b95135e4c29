// The payer at their bank, for tests without a browser: follows redirects, sends forms, types the code.
'use strict';
const { ask } = require('./ask.cjs');

const RIGHT_CODE = '1234';

/** From an order's redirect_url through the bank and back; answers where the payer is led in the end. */
exports.authenticate = async (redirect_url, { code = RIGHT_CODE, cancel = false } = {}) => {
  if (!redirect_url) throw new Error('This order sends its payer nowhere: it has no redirect_url.');
  const first = await open(redirect_url);
  // such a payer takes no part in the look at the browser
  const page = first.html.includes('id="method"') ? await open(formOf(first, 'on').action, {}) : first;
  const { action, fields } = formOf(page, 'bank');
  const bank = await open(action, fields);
  const decided = await open(bank.url, cancel ? { action: 'cancel' } : { action: 'verify', code });
  const back = formOf(decided, 'back');
  const { location, url } = await open(back.action, back.fields);
  return location ?? url;
};

/** Follows what stays on one host, and pages that go on by themselves. */
async function open(url, fields) {
  const { headers, body: html } = await ask(url, { form: fields });
  const { location } = headers;
  const next = location?.startsWith('/') ? location : goesOn(String(html));
  return next === undefined ? { url, html: String(html), location } : open(new URL(next, url).href);
}

function formOf({ html, url }, id) {
  const form = new RegExp(`<form[^>]*\\bid="${id}"[^>]*>.*?</form>`, 's').exec(html)?.[0];
  if (form === undefined)
    throw new Error(`The payer is at ${url}, and there is nothing to do for them: ${wordsOf(html)}`);
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => [
    attribute(input, 'name'),
    attribute(input, 'value'),
  ]);
  return { action: new URL(attribute(form, 'action'), url).href, fields: Object.fromEntries(inputs) };
}

const goesOn = (html) => {
  const next = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(html)?.[1];
  return next === undefined ? undefined : textOf(next);
};
const attribute = (tag, name) => textOf(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
const textOf = (html) => html.replace(/&(\w+|#39|#x27);/g, (_, name) => ENTITIES[name] ?? '?');
const LONGEST = 300;
const wordsOf = (html) =>
  html
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>|\s+/g, ' ')
    .slice(0, LONGEST);
