// The script of the frame in which Google Pay runs. It talks only with the page around it: the page sends the payment's
// data; the frame reports that Google can pay, and later sends Google's payload, which only the vault can open.
{
  const { page, script, environment } = document.documentElement.dataset;
  const tell = (message) => parent.postMessage(message, page);
  let asked = false;
  const load = () =>
    new Promise((loaded, failed) => {
      document.head.append(
        Object.assign(document.createElement('script'), { src: script, onload: loaded, onerror: failed }),
      );
    });
  const offer = async ({ request, locale, radius }) => {
    await load();
    const client = new window.google.payments.api.PaymentsClient({ environment, merchantInfo: request.merchantInfo });
    const { apiVersion, apiVersionMinor, allowedPaymentMethods } = request;
    const { result } = await client.isReadyToPay({ apiVersion, apiVersionMinor, allowedPaymentMethods });
    if (!result) return;
    // called in the click itself, because browsers open no window later
    const pay = async () => {
      try {
        const { paymentMethodData } = await client.loadPaymentData(request);
        tell({ kind: 'paid', payload: paymentMethodData.tokenizationData.token });
      } catch (error) {
        // the payer has left the sheet, so there is nothing to say
        if (error?.statusCode !== 'CANCELED') tell({ kind: 'failed' });
      }
    };
    const button = client.createButton({
      buttonType: 'plain',
      buttonColor: matchMedia('(prefers-color-scheme: dark)').matches ? 'white' : 'black',
      buttonSizeMode: 'fill',
      buttonRadius: radius,
      buttonLocale: locale,
      onClick: pay,
    });
    document.getElementById('button').append(button);
    tell({ kind: 'ready' });
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || origin !== page || asked) return;
    asked = true;
    offer(data).catch((error) => console.log('Google Pay is not shown', error));
  });
  tell({ kind: 'here' });
}
