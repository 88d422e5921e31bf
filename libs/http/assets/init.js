// Starts Swagger UI on the document that the page names. The validator badge would send the document to another host;
// what is entered under "Authorize" stays in this page's memory.
const place = document.getElementById('swagger-ui');
window.SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  validatorUrl: null,
  queryConfigEnabled: false,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
});
