/**
 * Sends the response of a security key with the form that asks for it. Browsers need a gesture of the user for that, which is the press of
 * the form's button.
 */
export const securityKeyScript = `'use strict';
(() => {
  const { form, options, use } = document.currentScript.dataset;
  const element = document.getElementById(form);
  const note = element.querySelector('[role=status]');
  const ask = () => {
    const json = JSON.parse(options);
    return use === 'create'
      ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json) })
      : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) });
  };
  element.hidden = false;
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    note.textContent = 'Touch your security key.';
    try {
      const credential = await ask();
      element.elements.response.value = JSON.stringify(credential.toJSON());
      element.submit();
    } catch (error) {
      note.textContent = 'The security key was not used: ' + error.message;
    }
  });
})();
`;
