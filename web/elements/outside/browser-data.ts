// The data about the payer's browser that the base specification suggests for an order (customer_browser_info_*).
import { warn } from './build.ts';

export type BrowserData = {
  readonly customer_browser_info_js_enabled: true;
  readonly customer_browser_info_color_depth: string;
  readonly customer_browser_info_language: string;
  readonly customer_browser_info_screen_height: number;
  readonly customer_browser_info_screen_width: number;
  readonly customer_browser_info_user_agent: string;
  readonly customer_browser_info_time_zone?: string;
};

/**
 * Colour depth, script, language, screen, user agent and time zone. A time zone that cannot be read is logged and left
 * out.
 */
export function browserData(): BrowserData {
  const time_zone = timeZone();
  return {
    customer_browser_info_js_enabled: true,
    customer_browser_info_color_depth: String(screen.colorDepth),
    customer_browser_info_language: navigator.language,
    customer_browser_info_screen_height: screen.height,
    customer_browser_info_screen_width: screen.width,
    customer_browser_info_user_agent: navigator.userAgent,
    ...(time_zone !== undefined && { customer_browser_info_time_zone: time_zone }),
  };
}

function timeZone(): string | undefined {
  try {
    const { timeZone: name } = new Intl.DateTimeFormat().resolvedOptions();
    if (name) return name;
    warn('the browser names no time zone');
  } catch (error) {
    warn('the time zone cannot be read', error);
  }
  return undefined;
}
