// A stand-in for MongoDB's server, for tests: mongo-java-server with a version the driver accepts and, with a FILE, made
// durable: a write is answered after it is synced to the file. `memory` in place of the FILE is the same without a file: nothing
// is serialized or synced. Usage: java -cp 'lib/*' Server.java PORT [FILE | memory]
// Port 0 takes any free one; the port that was bound is printed.
import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.backend.memory.MemoryDatabase;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;
import java.util.Set;
import org.h2.mvstore.MVStore;

public class Server {
    // The newest version that what it can do comes near to; it says 8 of itself, which today's driver refuses.
    private static final MongoVersion VERSION = new MongoVersion() {
        public List<Integer> getVersionArray() { return List.of(7, 0, 0); }
        public int getWireVersion() { return 21; }
    };

    public static void main(String[] args) {
        MongoBackend backend = args.length > 1 ? exact(args[1]) : new IndexedMemoryBackend();
        backend.version(VERSION);
        MongoServer server = new MongoServer(backend);
        server.bind("127.0.0.1", Integer.parseInt(args[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        System.out.println("listening on " + server.getLocalAddress().getPort());
    }

    private static MongoBackend exact(String file) {
        if (file.equals("memory")) return new ExactBackend(new MVStore.Builder().autoCommitDisabled().open(), false);
        // What its cache does not hold is deserialized again for each query that reads a whole collection.
        int cacheMb = (int) (Runtime.getRuntime().maxMemory() >> 20) / 16;
        MVStore store = new MVStore.Builder().fileName(file).cacheSize(cacheMb).autoCommitDisabled().open();
        return new ExactBackend(store, true);
    }

    private static final class ExactBackend extends H2Backend {
        private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findandmodify", "create", "drop",
            "createindexes", "dropindexes", "dropdatabase");
        private static final Set<String> CHECKS = Set.of("hello", "ismaster", "ping");
        private final Object lock = new Object();
        private final Object disk = new Object();
        private final boolean syncs;
        private long written;
        private long synced;

        ExactBackend(MVStore store, boolean syncs) {
            super(store);
            this.syncs = syncs;
        }

        @Override
        protected MongoDatabase openOrCreateDatabase(String database) {
            return new H2Database(database, getMvStore(), getCursorRegistry()) {
                @Override
                protected Index<Object> openOrCreateUniqueIndex(
                        String collection, String index, List<IndexKey> keys, boolean sparse) {
                    return new WiderIndex<>(super.openOrCreateUniqueIndex(collection, index, keys, sparse), index, keys, sparse);
                }
            };
        }

        @Override
        public Document handleMessage(MongoMessage message) {
            // The driver's checks of the server wait for no other client, as with MongoDB.
            if (isCheck(message)) return super.handleMessage(message);
            Document answer;
            long mine;
            synchronized (lock) {
                // It hands out live documents: without the copy a later write shows in an earlier answer.
                answer = super.handleMessage(message).cloneDeeply();
                if (!syncs || !isWrite(message)) return answer;
                mine = ++written;
            }
            sync(mine);
            return answer;
        }

        private static boolean isWrite(MongoMessage message) { return WRITES.contains(commandOf(message)); }

        private static boolean isCheck(MongoMessage message) { return CHECKS.contains(commandOf(message)); }

        private static String commandOf(MongoMessage message) {
            return message.getDocument().keySet().iterator().next().toLowerCase();
        }

        // Group commit: who comes first syncs for all that wait by then.
        private void sync(long mine) {
            synchronized (disk) {
                if (synced >= mine) return;
                long upTo;
                synchronized (lock) {
                    upTo = written;
                    getMvStore().commit();
                }
                getMvStore().sync();
                synced = upTo;
            }
        }
    }

    private static final class IndexedMemoryBackend extends MemoryBackend {
        @Override
        public MemoryDatabase openOrCreateDatabase(String database) {
            return new MemoryDatabase(database, getCursorRegistry()) {
                @Override
                protected Index<Integer> openOrCreateUniqueIndex(
                        String collection, String index, List<IndexKey> keys, boolean sparse) {
                    return new WiderIndex<>(super.openOrCreateUniqueIndex(collection, index, keys, sparse), index, keys, sparse);
                }
            };
        }
    }

    // A unique index that serves every query which names its keys, as MongoDB's do. Its own serve only those that name
    // nothing else: a compare-and-set by _id and a revision read the whole collection. What is found is matched again.
    private static final class WiderIndex<P> extends Index<P> {
        private final Index<P> index;

        WiderIndex(Index<P> index, String name, List<IndexKey> keys, boolean sparse) {
            super(name, keys, sparse);
            this.index = index;
        }

        private Document ofKeys(Document query) {
            Document part = new Document();
            for (String key : keys()) if (query.containsKey(key)) part.append(key, query.get(key));
            return part;
        }

        @Override public boolean canHandle(Document query) { return index.canHandle(ofKeys(query)); }
        @Override public Iterable<P> getPositions(Document query) { return index.getPositions(ofKeys(query)); }
        @Override public P getPosition(Document document) { return index.getPosition(document); }
        @Override public P remove(Document document) { return index.remove(document); }
        @Override public long getCount() { return index.getCount(); }
        @Override public long getDataSize() { return index.getDataSize(); }
        @Override public boolean isUnique() { return true; }
        @Override public void drop() { index.drop(); }

        @Override
        public void checkAdd(Document document, MongoCollection<P> collection) { index.checkAdd(document, collection); }

        @Override
        public void add(Document document, P position, MongoCollection<P> collection) {
            index.add(document, position, collection);
        }

        @Override
        public void checkUpdate(Document before, Document after, MongoCollection<P> collection) {
            index.checkUpdate(before, after, collection);
        }

        @Override
        public void updateInPlace(Document before, Document after, P position, MongoCollection<P> collection) {
            index.updateInPlace(before, after, position, collection);
        }
    }
}
