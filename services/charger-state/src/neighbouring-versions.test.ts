import { describeNeighbouringVersions } from './testing/neighbouring-versions.contract';

describeNeighbouringVersions('two neighbouring versions in one process', () => ({}));
