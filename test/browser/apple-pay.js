// Apple Pay of a browser, as the hosted page meets it: put into the page before its own script. What it may and what
// its payer does stands in `applePay`; the device (`sealed`) and what the sheet is told (`told`) are the test's.
window.ApplePaySession = class extends EventTarget {
  static STATUS_SUCCESS = 0;
  static STATUS_FAILURE = 1;
  static supportsVersion(version) {
    return version <= 14;
  }
  static canMakePayments() {
    return window.applePay.can;
  }
  constructor(version, request) {
    super();
    this.request = request;
  }
  begin() {
    window.leave = () => this.dispatchEvent(new Event('cancel'));
    setTimeout(() => {
      this.onvalidatemerchant({ validationURL: 'https://apple.invalid/paymentservices/startSession' });
      if (window.applePay.leaves) window.leave();
    });
  }
  async completeMerchantValidation(session) {
    if (window.applePay.leaves) throw new Error('the sheet is gone');
    const paymentData = JSON.parse(await window.sealed(this.request, session));
    const authorize = () => this.onpaymentauthorized({ payment: { token: { paymentData } } });
    // the payer looks at the sheet for a while
    if (window.applePay.waits) window.authorize = authorize;
    else authorize();
  }
  completePayment({ status }) {
    window.told(status === 0 ? 'done' : 'failed');
  }
  abort() {
    window.told('closed');
  }
};
