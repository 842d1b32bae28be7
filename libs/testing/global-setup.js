module.exports = async () => require('./src/containers').startEngines();
