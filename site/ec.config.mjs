// How code on the pages is coloured. What is made of it is packed by after/code.mjs.
/**
 * The colours of a line are looked for as long as it takes: by itself the highlighter gives up after half a second, and then a
 * build on a busy machine differs from one on an idle machine.
 */
const untimed = {
  name: 'untimed',
  preprocess(_code, options) {
    options.tokenizeTimeLimit = 0;
  },
};

export default {
  themes: ['github-dark', 'github-light'],
  frames: { showCopyToClipboardButton: false },
  shiki: { transformers: [untimed] },
};
