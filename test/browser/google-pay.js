// Google's script as the frame of the hosted page meets it. What the payer does stands in `googlePay`; the payer's
// device (`sealed`) is the test's. The sheet is a window of its own, as Google's is in many browsers.
window.google = {
  payments: {
    api: {
      PaymentsClient: class {
        constructor({ environment }) {
          this.environment = environment;
        }
        async isReadyToPay({ allowedPaymentMethods }) {
          document.documentElement.dataset.asked = 'yes';
          return { result: window.googlePay.ready && allowedPaymentMethods.length > 0 };
        }
        createButton({ onClick, buttonColor, buttonRadius }) {
          const button = document.createElement('button');
          button.textContent = 'Google Pay';
          button.style.cssText = `width: 100%; height: 100%; border: 0; border-radius: ${buttonRadius}px; font: 500 17px sans-serif`;
          button.style.background = buttonColor;
          button.style.color = buttonColor === 'white' ? 'black' : 'white';
          button.addEventListener('click', onClick);
          return button;
        }
        async loadPaymentData(request) {
          const here = new URL(document.documentElement.dataset.script).origin;
          const sheet = window.open(`${here}/sheet`, '', 'width=400,height=400');
          const { data } = await new Promise((answered) => {
            addEventListener('message', (event) => event.source === sheet && event.origin === here && answered(event));
          });
          sheet.close();
          if (data === 'left') throw Object.assign(new Error('closed'), { statusCode: 'CANCELED' });
          if (data === 'failed') throw Object.assign(new Error('no'), { statusCode: 'DEVELOPER_ERROR' });
          const token = await window.sealed({ ...request, environment: this.environment });
          return { paymentMethodData: { tokenizationData: { token } } };
        }
      },
    },
  },
};
