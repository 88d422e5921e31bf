import { runApi } from '@busbar/api';
import { legacyApi } from './app';

void runApi(legacyApi);
