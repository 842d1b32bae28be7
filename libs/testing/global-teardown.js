module.exports = async () => require('./src/containers').stopEngines();
