// The notifications of a test's account: an endpoint in the test's own process, and who waits for one is woken when it comes.
'use strict';
const { createServer } = require('node:http');
const { createHmac, timingSafeEqual } = require('node:crypto');
const { setTimeout, clearTimeout } = require('node:timers');

const WITHIN_MS = 10_000;
const SHOWN = 20;

exports.catchNotifications = async (good) => {
  const received = [];
  const taken = new Set();
  const raw = new WeakMap();
  const waiting = new Set();
  let secret;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const signed = isSigned(text, request.headers, secret);
      response.writeHead(signed ? 200 : 401).end();
      if (signed) take(text, request.headers);
    });
  });
  // a test that forgets to close must end all the same
  server.unref();
  server.on('connection', (socket) => socket.unref());
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const { endpoint } = await good('/notification/endpoint', { body: { url, events: EVENTS } });
  const { _id: id } = endpoint;
  secret = endpoint.secret;

  function take(text, headers) {
    const notification = JSON.parse(text);
    raw.set(notification, { text, headers });
    received.push(notification);
    for (const one of waiting) {
      if (!one.fits(notification)) continue;
      taken.add(notification);
      one.found(notification);
      return;
    }
  }

  function next(wanted = {}, { within = WITHIN_MS } = {}) {
    const fits = fitting(wanted);
    const there = received.find((notification) => !taken.has(notification) && fits(notification));
    if (there) {
      taken.add(there);
      return Promise.resolve(there);
    }
    return new Promise((resolve, reject) => {
      const one = {
        fits,
        found: (notification) => end(resolve, notification),
        given_up: (error) => end(reject, error),
      };
      const end = (settle, value) => {
        clearTimeout(timer);
        waiting.delete(one);
        settle(value);
      };
      const late = () => end(reject, new Error(nothingText(wanted, within, received, taken)));
      const timer = setTimeout(late, within);
      waiting.add(one);
    });
  }

  return {
    secret,
    received,
    next,
    raw: (notification) => raw.get(notification),
    give_up: (error) => waiting.forEach((one) => one.given_up(error)),
    close: async () => {
      await good(`/notification/endpoint/${id}`, { method: 'DELETE' }).catch(() => undefined);
      server.close();
      server.closeAllConnections();
    },
  };
};

/** All there are. */
const EVENTS = require('./cards.cjs').events;

function fitting({ event, order, where }) {
  const order_id = typeof order === 'object' && order !== null ? order.order_id : order;
  return (notification) =>
    (event === undefined || notification.event === event) &&
    (order_id === undefined || notification.order_id === order_id) &&
    (where === undefined || where(notification));
}

function isSigned(text, headers, secret) {
  if (secret === undefined) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const right = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => one.length === right.length && timingSafeEqual(Buffer.from(one), right));
}

function nothingText({ event, order, where }, within, received, taken) {
  const id = typeof order === 'object' && order !== null ? order.order_id : order;
  const wanted = [event ?? 'of any event', id && `of order ${id}`, where && 'that `where` takes']
    .filter(Boolean)
    .join(' ');
  const lines = received
    .slice(-SHOWN)
    .map((one) => `  ${one.event} ${one.order_id ?? ''}${taken.has(one) ? ' (taken)' : ''}`);
  return `No notification ${wanted} came within ${within} ms. ${lines.length > 0 ? `Came:\n${lines.join('\n')}` : 'None came at all.'}`;
}
