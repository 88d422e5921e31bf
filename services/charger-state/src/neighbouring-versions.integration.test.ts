import { createId } from '@busbar/core';
import { describeWithDocumentServer, describeWithRabbit } from '@busbar/testing';
import { describeNeighbouringVersions } from './testing/neighbouring-versions.contract';

describeWithRabbit('RabbitMQ', (rabbit) => {
  describeWithDocumentServer('MongoDB', (server) => {
    describeNeighbouringVersions('two neighbouring versions on RabbitMQ and MongoDB', () => {
      const store = new URL(server().url);
      store.pathname = `/neighbours_${createId().toLowerCase()}`;
      return { brokerUrl: rabbit().url, storeUrl: store.href };
    });
  });
});
