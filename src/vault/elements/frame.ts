// The document of the field frame. Its script and style stand in it and are named by hash in its policy: nothing else
// runs, and nothing is loaded but logos of our own origin.
import { directionOf } from '../../core/payer/language.ts';
import { escapeHtml } from '../../kit/http/page.ts';
import { type Assets, schemeMarks } from './assets.ts';

export type FramePlace = {
  readonly language: string;
  readonly key: string;
  /** Some integrations have one key for page and server (contract 2.6): it works, and the console says so. */
  readonly is_private: boolean;
};

/** `key` is the public key as it came, known or not: a wrong one is only told at tokenization (contract 12.1). */
export function frameDocument(assets: Assets, { language, key, is_private }: FramePlace): string {
  const texts = assets.texts.get(language)?.inside ?? {};
  const say = (name: string) => escapeHtml(texts[name] ?? '');
  const data = {
    key,
    ...(is_private && { kind: 'private' }),
    texts: JSON.stringify(texts),
    schemes: JSON.stringify(schemeMarks()),
  };
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`);
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}" ${attributes.join(' ')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${say('title')}</title>
<style>${assets.frame_style.body.toString('utf8')}</style>
</head>
<body>
<form id="fields" novalidate autocomplete="on">
${row('number', `<span class="head"><label for="number">${say('number')}</label><span id="marks"></span></span>`, `<input id="number" name="cardnumber" autocomplete="cc-number" placeholder="1234 1234 1234 1234" ${DIGITS} aria-describedby="number-error" required>`)}
<fieldset id="brands-row" hidden><legend>${say('brands')}</legend><div id="brands"></div></fieldset>
<div class="pair">
${row('expiry', label('expiry', say('expiry')), `<input id="expiry" name="cc-exp" autocomplete="cc-exp" ${DIGITS} placeholder="${say('expiry_placeholder')}" aria-describedby="expiry-error" required>`)}
${row('code', label('code', say('code')), `<span class="line"><input id="code" name="cvc" autocomplete="cc-csc" ${DIGITS} aria-describedby="code-error code-hint" required>${CODE_PICTURE}</span>`, `<span id="code-hint" class="hint">${say('code_hint_3')}</span>`)}
</div>
${row('holder', label('holder', say('holder')), `<input id="holder" name="ccname" autocomplete="cc-name" maxlength="100" type="text" dir="auto" spellcheck="false" aria-describedby="holder-error">`).replace('class="row"', 'class="row" hidden')}
<button type="submit" hidden></button>
</form>
<script>${assets.frame_script.body.toString('utf8')}</script>
</body>
</html>
`;
}

const DIGITS = 'type="text" inputmode="numeric" dir="ltr" spellcheck="false" autocorrect="off"';

/**
 * A picture of the code's place: on the back, or on the front of a card with four digits. Both are drawn, and the style
 * sheet shows one.
 */
const CODE_PICTURE = `<svg id="code-picture" viewBox="0 0 64 40" aria-hidden="true"><rect class="card" x=".5" y=".5" width="63" height="39" rx="5"/><g class="back"><path class="stripe" d="M1 7h62v8H1z"/><path class="strip" d="M6 21h32v8H6z"/><rect class="spot" x="40" y="18.5" width="20" height="13" rx="6.5"/><path class="digits" d="M45 25h.1m5 0h.1m5 0h.1"/></g><g class="front"><rect class="strip" x="6" y="13" width="10" height="8" rx="2"/><path class="strip" d="M6 27h30v2.5H6zM6 32.5h18V35H6z"/><rect class="spot" x="35" y="8.5" width="25" height="13" rx="6.5"/><path class="digits" d="M40 15h.1m5 0h.1m5 0h.1m5 0h.1"/></g></svg>`;

const label = (id: string, text: string) => `<label for="${id}">${text}</label>`;

/**
 * Label, input, error, and a hint below. The error is there from the first, so that a screen reader hears when it is
 * filled.
 */
function row(id: string, head: string, input: string, ...more: readonly string[]): string {
  return `<div class="row" id="${id}-row">${head}${input}${more.join('')}<span class="error" id="${id}-error" aria-live="polite"></span></div>`;
}

/** `ancestors`: who may frame it, as a policy has it. */
export function framePolicy(assets: Assets, ancestors: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src '${assets.frame_script.integrity}'`,
    `style-src '${assets.frame_style.integrity}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${["'self'", ...ancestors].join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
