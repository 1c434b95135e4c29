// The members of an authorization beside card, amount and account.
import type { Facts } from '../contract.ts';
import type { Evidence, Payer } from '../payer.ts';
import type { StepName } from './steps.ts';

type Members = Readonly<Record<string, unknown>>;

export function paymentOf(step: StepName, facts: Facts, reference: string): Members {
  const { payer, evidence, scheme, order_merchant_id } = facts;
  const brand = scheme === null ? undefined : BRANDS[scheme];
  const mpiData = evidence && outsideOf(evidence);
  const order = order_merchant_id.toWellFormed();
  return {
    reference,
    // what the merchant calls it; links several tries of one order in Adyen's own views
    ...(order !== '' && { merchantOrderReference: order }),
    paymentMethod: { type: step === 'payments_network_token' ? 'networkToken' : 'scheme', ...(brand && { brand }) },
    // the schema requires one even if no payer is there to be sent back
    returnUrl: payer?.return_url ?? 'https://nobody.invalid/',
    ...savedOf(facts),
    ...(payer && shopperOf(payer)),
    // a network token comes with a cryptogram, which is a proof of its own
    ...(payer && authenticationOf(payer, mpiData !== undefined || step === 'payments_network_token')),
    ...(mpiData && { mpiData }),
    additionalData: {
      manualCapture: 'true',
      ...(evidence?.sca_exemption !== undefined && exemptionOf(evidence.sca_exemption)),
      ...(evidence?.previous_reference !== undefined && { networkTxReference: evidence.previous_reference }),
    },
  };
}

/** The payer's choice among the brands of a card (docs.adyen.com/development-resources/paymentmethodvariant). */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'visa',
  mastercard: 'mc',
  amex: 'amex',
  diners: 'diners',
  discover: 'discover',
  jcb: 'jcb',
  unionpay: 'cup',
  cb: 'cartebancaire',
  maestro: 'maestro',
  bancontact: 'bcmc',
};

/** Who started the payment, and with what: a card that the payer types or says, a saved card, or the merchant alone. */
function savedOf({ payer, unseen_payer, evidence, psp_token }: Facts): Members {
  if (unseen_payer === 'moto') return { shopperInteraction: 'Moto' };
  const is_saved = evidence?.stored_card === true || psp_token === true;
  if (payer && !is_saved) return { shopperInteraction: 'Ecommerce' };
  if (payer) return { shopperInteraction: 'ContAuth', recurringProcessingModel: 'CardOnFile' };
  const belongs = evidence?.previous_reference !== undefined;
  return {
    shopperInteraction: 'ContAuth',
    recurringProcessingModel: belongs ? 'Subscription' : 'UnscheduledCardOnFile',
  };
}

/** The redirect of Adyen's own, not its script in a page of ours; the payer's browser comes back with a GET. */
function authenticationOf({ three_ds }: Payer, is_done: boolean): Members {
  return {
    authenticationData: {
      attemptAuthentication: three_ds === 'no' || is_done ? 'never' : 'always',
      threeDSRequestData: { nativeThreeDS: 'disabled' },
    },
    redirectFromIssuerMethod: 'GET',
  };
}

function shopperOf({ return_url, ip, email, browser }: Payer): Members {
  const origin = URL.canParse(return_url) ? new URL(return_url).origin : '';
  return {
    channel: 'Web',
    ...(origin !== '' && origin.length <= 80 && { origin }),
    ...(ip !== undefined && ip.length <= 50 && { shopperIP: ip }),
    ...(email !== undefined && email.length <= 256 && { shopperEmail: email }),
    ...(browser && {
      browserInfo: {
        userAgent: browser.user_agent,
        acceptHeader: browser.accept_header,
        language: browser.language,
        screenWidth: browser.screen_width,
        screenHeight: browser.screen_height,
        colorDepth: browser.color_depth,
        timeZoneOffset: browser.time_zone_offset,
        javaEnabled: browser.java_enabled,
        javaScriptEnabled: browser.javascript_enabled,
      },
    }),
  };
}

/**
 * An authentication that was done elsewhere. Ours says not whether the payer was challenged, so it goes as one without.
 */
function outsideOf({ three_ds, three_ds_data }: Evidence): Members | undefined {
  if (three_ds)
    return {
      directoryResponse: three_ds.trans_status,
      cavv: three_ds.authentication_value,
      eci: three_ds.eci,
      dsTransID: three_ds.ds_transaction_id,
      threeDSVersion: three_ds.version,
    };
  return three_ds_data && outsideDataOf(three_ds_data);
}

/**
 * The merchant's fields (contract 10.1), unchanged, under Adyen's names; a status that Adyen does not know is left out.
 */
function outsideDataOf(given: Readonly<Record<string, string>>): Members {
  const is_first = given['version']?.startsWith('1') === true;
  const said: Readonly<Record<string, string | undefined>> = {
    cavv: given['cavv'] ?? given['ucaf_aav'],
    cavvAlgorithm: is_first ? given['cavv_algorithm'] : undefined,
    eci: given['eci'],
    [is_first ? 'xid' : 'dsTransID']: given['x_id'],
    directoryResponse: oneOf('ACDINRUY', given['directory_veres']),
    authenticationResponse: oneOf('YNUA', given['pares_status']),
    threeDSVersion: given['version'],
    riskScore: given['network_score'],
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

const oneOf = (letters: string, text: string | undefined) =>
  text !== undefined && text.length === 1 && letters.includes(text) ? text : undefined;

const EXEMPTIONS: Readonly<Record<string, string>> = {
  low_value: 'lowValue',
  corporate: 'secureCorporate',
  trusted_beneficiary: 'trustedBeneficiary',
  risk_analysis: 'transactionRiskAnalysis',
};

function exemptionOf(reason: string): Members {
  const scaExemption = EXEMPTIONS[reason];
  return scaExemption === undefined ? {} : { scaExemption };
}
