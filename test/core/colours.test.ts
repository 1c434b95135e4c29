// A merchant's colours on the hosted page: whatever they are, what is written in them can be read, by day and by night.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, themeOf, unreadable } from '../../src/core/payer/colours.ts';

const colour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
const none = fc.constant('');

test('every pair that is chosen here reaches its contrast, whatever colours the merchant gives', () => {
  fc.assert(
    fc.property(colour, fc.oneof(none, colour), (page_colour, panel_colour) => {
      expect(unreadable({ page_colour, panel_colour, panel_text: '' })).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test('a text that the merchant gives is kept by day, and refused exactly where it cannot be read', () => {
  fc.assert(
    fc.property(colour, colour, (panel_colour, panel_text) => {
      const colours = { page_colour: '#0b5d57', panel_colour, panel_text };
      expect(themeOf(colours, 'light').panel_ink).toBe(panel_text);
      expect(unreadable(colours).length === 0).toBe(contrastOf(panel_text, panel_colour) >= 4.5);
    }),
    { numRuns: 400 },
  );
});

test('the merchant’s colour is the ground of its side: deepened where white can be read on it, kept where it is bright', () => {
  const panelOf = (page_colour: string, panel_colour = '') =>
    themeOf({ page_colour, panel_colour, panel_text: '' }, 'light').panel;
  expect([panelOf('#0b5d57'), panelOf('#ffee00'), panelOf('#0b5d57', '#fafafa')]).toEqual([
    '#0b4643',
    '#ffee00',
    '#fafafa',
  ]);
  // at night even a white side is dark
  const night = themeOf({ page_colour: '#0b5d57', panel_colour: '#ffffff', panel_text: '' }, 'dark');
  expect(contrastOf(night.panel, '#ffffff')).toBeGreaterThanOrEqual(10);
});
