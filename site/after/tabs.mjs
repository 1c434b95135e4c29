// The same in several languages: in Markdown between two comments, each under its name in bold; on the page an element whose
// script shows one of them (src/tabs.ts).

export function withTabs(html) {
  return html.replace(/<!-- tabs -->([\s\S]*?)<!-- end of tabs -->/g, (_, inner) => {
    const [before, ...parts] = inner.split(/<p><strong>([^<]+)<\/strong><\/p>/);
    if (before.trim() !== '' || parts.length < 4)
      throw new Error(`tabs begin with a name in bold, and are two: ${inner}`);
    const sections = Array.from({ length: parts.length / 2 }, (_none, i) => {
      const [name, body] = parts.slice(i * 2, i * 2 + 2);
      return `<section data-tab="${name}"><p><strong>${name}</strong></p>${body.trim()}</section>`;
    });
    return `<florin-tabs>${sections.join('')}</florin-tabs>`;
  });
}
